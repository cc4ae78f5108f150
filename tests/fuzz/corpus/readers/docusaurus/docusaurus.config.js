module.exports = {url: 'https://tea.org', baseUrl: '/docs/'};
