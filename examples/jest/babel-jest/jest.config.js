module.exports = { preset: 'pipeline-understudy', testEnvironment: 'jest-fixed-jsdom' }
