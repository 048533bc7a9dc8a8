import type { UnderstudyReply, UnderstudyRequest } from './messages.ts'

/** A defect of a server: the changes that it makes to requests and replies. Use it to try the verifier, or a client. */
export interface FaultyVariant {
  readonly name: string
  /** Id of the rule that it breaks. */
  readonly breaks: string
  /** That rule in a sentence. */
  readonly rule?: string
  /** Changes a request before the mock answers it. */
  readonly request?: (request: UnderstudyRequest) => UnderstudyRequest
  /** Changes a reply; `request` is what the client sent. */
  readonly reply?: (reply: UnderstudyReply, request: UnderstudyRequest) => UnderstudyReply
}
