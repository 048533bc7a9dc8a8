/** A request as it crosses from a page to the understudy of the demo. */
export interface CrossedRequest {
  readonly method: string
  /** Below the demo: `/api/…`, or that of the admin API. */
  readonly url: string
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: ArrayBuffer
}

/** What a page says: it asks, it does not wait any more for a reply, or it goes away. */
export type FromPage =
  | { readonly kind: 'ask'; readonly id: number; readonly request: CrossedRequest }
  | { readonly kind: 'leave'; readonly id: number }
  | { readonly kind: 'bye' }

/** What a page is told: a reply whole, or its head and then its pieces; that none comes; or something about the state. */
export type ToPage =
  | {
      readonly kind: 'head'
      readonly id: number
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** The whole body; `undefined` where it follows in pieces. */
      readonly body: string | null | undefined
    }
  | { readonly kind: 'piece'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end'; readonly id: number }
  | { readonly kind: 'broken'; readonly id: number }
  | { readonly kind: 'note'; readonly text: string }

/** The end of a channel between a page and the understudy. */
export type Port = Pick<MessagePort, 'postMessage' | 'onmessage'>
