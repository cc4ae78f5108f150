export default { base: '/tea/' }
