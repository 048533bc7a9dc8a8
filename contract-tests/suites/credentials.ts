import { describeFor } from './describe-for.ts'

describeFor('credentials')
