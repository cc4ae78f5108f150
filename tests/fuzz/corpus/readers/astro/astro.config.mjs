export default { site: 'https://tea.org', base: '/docs' };
