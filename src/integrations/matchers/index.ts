export {
  toHaveChanged,
  toHaveNoClientIssues,
  toHaveNoUnexpectedRequests,
  toHaveReceived,
  toHaveReceivedInOrder,
  toHaveReceivedTimes,
  understudyMatchers,
} from './matchers.ts'
export type {
  ExpectedDifference,
  OrderedRequest,
  Outcome,
  RequestPattern,
  UnderstudyMatchers,
} from './types.ts'
