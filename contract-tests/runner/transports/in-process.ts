import { setImmediate } from 'node:timers/promises'
import type { Answering, Fetchable, Incoming, Outgoing, Transport } from './transport.ts'

const base = 'http://in-process.invalid'

/** Sends requests to a handler in this process, without a socket. */
export function inProcess(target: Fetchable | Answering): Transport {
  const answering = 'answer' in target ? target : byFetch(target)
  return {
    base,
    async send(request, timeout) {
      // Without this pause, timers and sockets of the process would wait until the verifier ends.
      await setImmediate()
      return within(timeout, answering.answer(request))
    },
  }
}

/** Sends requests by the Fetch API. */
function byFetch(target: Fetchable): Answering {
  return {
    async answer({ method, path, headers, body }: Outgoing): Promise<Incoming> {
      const all = new Headers(headers)
      if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
      const request = new Request(`${base}${path}`, { method, headers: all, body: body ?? null })
      const reply = await target.fetch(request)
      return {
        status: reply.status,
        contentType: reply.headers.get('content-type') ?? '',
        text: await reply.text(),
        date: reply.headers.get('date') ?? undefined,
        retryAfter: reply.headers.get('retry-after') ?? undefined,
      }
    },
  }
}

async function within<Value>(timeout: number, value: Value | Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('No answer came'), { timeout })), timeout)
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}
