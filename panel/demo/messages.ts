/** A request from a page to the mock of the demo, sent together with a port for the reply. */
export interface CrossedRequest {
  readonly method: string
  /** Relative to the demo: `/api/…`, or a path of the admin API. */
  readonly url: string
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: ArrayBuffer
}

/** A message on the port of a reply: its head, then the pieces of its body, or the end of the connection. */
export type ReplyMessage =
  | {
      readonly kind: 'head'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly hasBody: boolean
    }
  | { readonly kind: 'piece'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end' }
  | { readonly kind: 'broken' }

export type Port = Pick<MessagePort, 'postMessage' | 'onmessage'>
