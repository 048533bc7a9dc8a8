// @vitest-environment jsdom
import { describePageEnvironment } from './support/page-environment.ts'

describePageEnvironment()
