import type { Fetchable, Incoming, Transport } from './transport.ts'

/** Brings requests to something in this process, without a socket. */
export function inProcess(target: Fetchable): Transport {
  const base = 'http://in-process.invalid'
  return {
    base,
    async send({ method, path, headers, body }, timeout) {
      const request = new Request(`${base}${path}`, {
        method,
        headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
        body: body ?? null,
      })
      return within(timeout, ask(target, request))
    },
  }
}

async function ask(target: Fetchable, request: Request): Promise<Incoming> {
  const reply = await target.fetch(request)
  return {
    status: reply.status,
    contentType: reply.headers.get('content-type') ?? '',
    text: await reply.text(),
    date: reply.headers.get('date') ?? undefined,
    retryAfter: reply.headers.get('retry-after') ?? undefined,
  }
}

async function within<Value>(timeout: number, value: Promise<Value>): Promise<Value> {
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
