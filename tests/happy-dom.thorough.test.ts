// @vitest-environment happy-dom
import { describePageEnvironment } from './support/page-environment.ts'

describePageEnvironment()
