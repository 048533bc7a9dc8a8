export default { test: { globalSetup: './proxy-setup.js', include: ['tests/*.test.js'] } }
