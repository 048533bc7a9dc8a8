import nextJest from 'next/jest.js'
import { withUnderstudy } from 'pipeline-understudy/jest-preset'

const configure = nextJest({ dir: './' })

export default async () => withUnderstudy(await configure({ testEnvironment: 'jest-fixed-jsdom' })())
