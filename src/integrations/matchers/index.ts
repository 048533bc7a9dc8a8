export {
  toHaveNoUnexpectedRequests,
  toHaveReceived,
  toHaveReceivedInOrder,
  toHaveReceivedTimes,
  understudyMatchers,
} from './matchers.ts'
export type { OrderedRequest, Outcome, RequestPattern, UnderstudyMatchers } from './types.ts'
