/** Maximum size of a reply of an unknown server, decompressed, in bytes. */
export const mostReplyBytes = 32 << 20

/** A reply of an unknown server, as a whole. */
export interface WholeReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Size of the decompressed body. */
  readonly bytes: number
}

/**
 * Sends a request to an unknown server and reads its reply, in bounded time and memory.
 *
 * @param patience milliseconds until the whole reply has arrived.
 * @throws Error where there is no reply in time, or it is too large.
 */
export async function readReply(url: string, init: RequestInit, patience: number): Promise<WholeReply> {
  const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) })
  const decoder = new TextDecoder()
  const parts: string[] = []
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostReplyBytes) throw new Error(`the reply is larger than ${mostReplyBytes >> 20} MB`)
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  parts.push(decoder.decode())
  return { status: reply.status, headers: reply.headers, text: parts.join(''), bytes }
}
