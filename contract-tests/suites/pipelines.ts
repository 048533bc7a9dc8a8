import { describeFor } from './describe-for.ts'

describeFor('pipelines')
