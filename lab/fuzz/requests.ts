import { METHODS } from 'node:http'
import fc from 'fast-check'
import { body } from './bodies.ts'
import { type Bytes, type Repeated, toText } from './bytes.ts'
import { headers } from './headers.ts'
import { target } from './targets.ts'
import { pick } from './texts.ts'

/** A valid HTTP request with any contents of its parts. */
export interface FuzzRequest {
  readonly method: string
  /** The target of the request line. */
  readonly target: Bytes
  readonly headers: readonly (readonly [name: string, value: Bytes])[]
  readonly body?: Repeated | undefined
  /** True to send the body in chunks instead of with its length. */
  readonly chunked: boolean
}

/** CONNECT asks for a tunnel, which is no request in this sense. */
const methods = METHODS.filter((method) => method !== 'CONNECT')
const method = fc.oneof(
  { weight: 12, arbitrary: pick('GET', 'POST', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: pick('OPTIONS', 'HEAD', 'PATCH') },
  { weight: 1, arbitrary: pick(...methods) },
)

/** Seeded invalid requests. */
export const invalidRequest: fc.Arbitrary<FuzzRequest> = fc
  .record({ method, target, headers, body, hasBody: fc.nat(9), chunked: fc.nat(9) })
  .map(({ hasBody, chunked, body, ...rest }) => ({
    ...rest,
    // Some methods have a body; others only occasionally.
    ...((/^P|^DELETE/.test(rest.method) ? hasBody > 0 : hasBody === 0) && { body }),
    chunked: chunked === 0,
  }))

/** Returns whether a target leads to the API, which answers every request with an envelope. */
export function isApi(target: Bytes): boolean {
  return /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/api(?:[/?#]|$)/.test(target)
}

/** Returns a shell command that sends a request to port 6789. */
export function toReproduction({ method, target, headers, body, chunked }: FuzzRequest): string {
  const sent = [...headers, ...(chunked ? [['Transfer-Encoding', 'chunked'] as const] : [])]
  const flags = sent.map(([name, value]) => ` -H $'${name}: ${toText(value)}'`).join('')
  const curl = `curl -si -g -X ${method}${flags} --request-target $'${toText(target)}' http://127.0.0.1:6789`
  if (body === undefined) return curl
  const { head, unit, times, tail } = body
  const repeated = `yes $'${toText(unit)}' | head -n ${times} | tr -d '\\n'`
  return `(printf '${toText(head)}'; ${repeated}; printf '${toText(tail)}') | ${curl} --data-binary @-`
}
