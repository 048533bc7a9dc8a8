import { METHODS } from 'node:http'
import fc from 'fast-check'
import { body } from './bodies.ts'
import { brokenHttp } from './broken-http.ts'
import type { FuzzCase, WellFormed } from './cases.ts'
import { headers } from './headers.ts'
import { target } from './targets.ts'
import { pick } from './texts.ts'

/** CONNECT asks for a tunnel, and is no request in this sense. */
const methods = METHODS.filter((method) => method !== 'CONNECT')
const method = fc.oneof(
  { weight: 12, arbitrary: pick('GET', 'POST', 'PUT', 'DELETE') },
  { weight: 1, arbitrary: pick('OPTIONS', 'HEAD', 'PATCH') },
  { weight: 1, arbitrary: pick(...methods) },
)
const request: fc.Arbitrary<WellFormed> = fc
  .record({ method, target, headers, body, hasBody: fc.nat(9), chunked: fc.nat(9) })
  .map(({ hasBody, chunked, body, ...rest }) => ({
    kind: 'request',
    ...rest,
    // A body belongs to some methods, and is at times sent with others.
    ...((/^P|^DELETE/.test(rest.method) ? hasBody > 0 : hasBody === 0) && { body }),
    chunked: chunked === 0,
  }))

/** Seeded garbage: mostly requests that carry nonsense, some bytes that are no HTTP. */
export const garbage: fc.Arbitrary<FuzzCase> = fc.oneof<fc.MaybeWeightedArbitrary<FuzzCase>[]>(
  { weight: 12, arbitrary: request },
  { weight: 1, arbitrary: brokenHttp },
)
