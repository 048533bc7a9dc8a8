import type { IncomingMessage, ServerResponse } from 'node:http'
import type { UnderstudyReply } from '../engine/messages.ts'

/** Called with each answered request, its reply, and its duration in milliseconds. */
export type Observer = (request: IncomingMessage, reply: UnderstudyReply, milliseconds: number) => void

/** A Node request listener that is Express middleware as well: it leaves requests that are not its own to `next`. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void
