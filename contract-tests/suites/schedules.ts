import { describeFor } from './describe-for.ts'

describeFor('schedules', 'trigger')
