export { understudyMatchers } from './matchers.ts'
export type {
  ExpectedDifference,
  OrderedRequest,
  Outcome,
  RequestPattern,
  UnderstudyMatchers,
} from './types.ts'
