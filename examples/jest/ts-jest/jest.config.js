const { withUnderstudy } = require('pipeline-understudy/jest-preset')

module.exports = withUnderstudy({ preset: 'ts-jest' })
