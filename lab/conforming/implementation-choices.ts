import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../contract-tests/rules/document.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { tokenEncodings } from '../../contract-tests/runner/token-encodings.ts'
import type { AssumptionId } from '../../src/assumptions/index.ts'
import { seededRandom } from '../../src/shared/seeded.ts'
import {
  bodyWith,
  onRecords,
  onSuccess,
  recordIn,
  refusal,
  sentence,
  sentRecord,
  succeeded,
} from '../mutants/mutant.ts'
import { withUuid } from '../mutants/operators/identity.ts'
import type { MutantRequest, Start } from '../mutants/serve-mutant.ts'
import { paged } from './lists.ts'
import { deep, onBodies } from './reply-changes.ts'
import { sessionTokens } from './session-tokens.ts'
import type { ConformingVariant } from './variant.ts'

/** A point that the specification leaves open, and values other than the mock's that a server may choose. */
interface ImplementationChoice {
  readonly point: string
  readonly reason: AssumptionId | Statement
  readonly values: Readonly<Record<string, Start>>
}

const jwt = tokenEncodings[0]

/** Sessions whose raw tokens have another encoding; `read` maps a sent token to the issued one. */
const tokensAs =
  (encode: (token: string, raw: string) => string, read = (sent: string) => sent): Start =>
  () => {
    const issued = new Map<string, string>()
    return async ({ headers: sent, operation }, forward) => {
      const headers = new Headers(sent)
      const cookie = headers.get('cookie') ?? ''
      const own = cookie.replace(
        /(?<=oauth_token=)[^;]*/,
        (shown) => issued.get(read(shown)) ?? `no${shown.length}`,
      )
      if (cookie !== '') headers.set('cookie', own)
      const reply = await forward({ headers })
      const session = recordIn(reply, 'session')
      if (operation !== 'createSession' || typeof session?.token !== 'string') return reply
      const shown = encode(jwt?.decode(session.token) ?? '', session.token)
      issued.set(read(shown), session.token)
      return { ...reply, body: { session: { ...session, token: shown } } }
    }
  }

const inJson = (token: string) => Buffer.from(JSON.stringify({ token, version: 1 }))

/** A server on which signing in ends all earlier sessions, or all except the latest ones. */
const sessionsAtOnce =
  (most: number): Start =>
  () =>
  (request, forward) => {
    const { token, opened } = sessionTokens(request)
    const isEnded = opened.includes(token) && !opened.slice(-most).includes(token)
    return isEnded && request.operation !== 'createSession'
      ? refusal('Sign in first.', 401, 'unauthorized')
      : forward()
  }

/** A server with short timestamps in a local zone. Its list also shows written dates in UTC. */
const inZone = (minutes: number, areDatesLocal = false): Start =>
  onBodies((body, { operation }) => {
    const isList = operation === 'listBackfills'
    if (!/Backfill/.test(operation ?? '') || (isList && !areDatesLocal)) return body
    const shift = (isList ? -minutes : minutes) * 60_000
    const isShifted = (name: string) => (isList ? /_datetime$/ : /_at$/).test(name)
    return deep(body, (record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => {
          const [, time, rest] = /^([\d-]{10} [\d:]{8})(.*)$/.exec(String(value)) ?? []
          if (time === undefined || !isShifted(name)) return [name, value]
          const shifted = new Date(Date.parse(`${time}Z`) + shift).toISOString()
          return [name, `${shifted.slice(0, 19).replace('T', ' ')}${rest}`]
        }),
      ),
    )
  })

const blocksAs = (element: (block: Json) => unknown): Start =>
  onRecords('readPipeline', (pipeline) => ({
    ...pipeline,
    blocks: (Array.isArray(pipeline.blocks) ? pipeline.blocks : []).map((block) =>
      isObject(block) ? element(block) : block,
    ),
  }))

/** A server that refuses the writes that a predicate selects. */
const refuses =
  (isRefused: (record: Json, request: MutantRequest) => boolean, message: string): Start =>
  () =>
  (request, forward) =>
    request.method !== 'GET' &&
    request.operation !== 'triggerPipeline' &&
    isRefused(sentRecord(request), request)
      ? refusal(message, 422, 'validation_error')
      : forward()

/** A server that stores names in another form. */
const storesNames =
  (form: (name: string) => string): Start =>
  () =>
  (request, forward) => {
    const record = sentRecord(request)
    return request.method === 'GET' ||
      request.operation === 'triggerPipeline' ||
      typeof record.name !== 'string'
      ? forward()
      : forward({ body: bodyWith(request, { ...record, name: form(record.name) }) })
  }

/** A server that reads a record from bodies without one. */
const reads =
  (operation: OperationId, recordOf: (body: unknown) => Json): Start =>
  () =>
  (request, forward) => {
    const isWithout = !isObject(request.body) || !isObject(request.body.backfill)
    return request.operation === operation && isWithout
      ? forward({ body: { backfill: recordOf(request.body) } })
      : forward()
  }

/** A server that refuses an end before the start, whichever update has set the other of the two. */
const refusesEarlyEnds: Start = () => (request, forward) => {
  const sent = succeeded(request, 'updateBackfill')
    .filter((own) => own.request.path === request.path)
    .map((own) => sentRecord(own.request))
  const { start_datetime, end_datetime }: Json = Object.assign({}, ...sent, sentRecord(request))
  const isEarly = start_datetime && end_datetime && String(end_datetime) < String(start_datetime)
  return request.operation === 'updateBackfill' && isEarly
    ? refusal('It ends before it starts.', 422, 'validation_error')
    : forward()
}

/** A server that returns few logs without a limit. */
const logsAtMost =
  (byDefault: number): Start =>
  () =>
  ({ operation, path, query }, forward) => {
    if (operation !== 'listLogs' || query.has('_limit')) return forward()
    return forward({ path: `${path}?${new URLSearchParams([...query, ['_limit', String(byDefault)]])}` })
  }

const unavailable =
  (every: number): Start =>
  () =>
  ({ total }, forward) =>
    total % every === every - 1 ? refusal('Try again.', 503, 'service_unavailable') : forward()

/** Cuts a uuid to a length; the sum of its characters distinguishes it from others. */
function cut(uuid: string, most: number): string {
  const sum = [...uuid].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 65_536, 7)
  return uuid.length > most ? `${uuid.slice(0, most - 6)}_${sum.toString(16)}` : uuid
}

const silence = sentence('Limits', 'token lifetime')
const nameText = ({ name }: Json) => (typeof name === 'string' ? name : '')

/** The table; every value is one that a server may choose by the specification. */
export const implementationChoices: readonly ImplementationChoice[] = [
  {
    point: 'sessions of a user',
    reason: silence,
    values: { one: sessionsAtOnce(1), two: sessionsAtOnce(2), five: sessionsAtOnce(5) },
  },
  {
    point: 'encoding of raw tokens',
    reason: sentence('Authentication', 'The decoding algorithm: not shown'),
    values: {
      base64: tokensAs((token) => inJson(token).toString('base64')),
      'base64 for URLs': tokensAs((token) => inJson(token).toString('base64url')),
      hexadecimal: tokensAs((token) => inJson(token).toString('hex')),
      'hexadecimal in any letter case': tokensAs(
        (token) => inJson(token).toString('hex'),
        (sent) => sent.toLowerCase(),
      ),
      opaque: tokensAs((_, raw) => `t${Buffer.from(raw).toString('hex').slice(-40)}`),
    },
  },
  {
    point: 'payload of sessions',
    reason: sentence('Session', 'Its payload has a `token` key'),
    values: {
      flat: onSuccess('createSession', ({ body }) => ({ body: { ...(isObject(body.session) && body.session) } })),
      'flat, with a status': onSuccess('createSession', ({ body }) => ({
        body: { token: isObject(body.session) && body.session.token, status: 200 },
      })),
      'the token alone': onSuccess('createSession', ({ body }) => ({
        body: { session: { token: isObject(body.session) && body.session.token } },
      })),
    },
  },
  {
    point: 'zone of short timestamps',
    reason: sentence('Resources and their fields', 'backfill create, update and delete responses'),
    values: { '+05:30': inZone(330), '-08:00': inZone(-480), '+13:45, and dates too': inZone(825, true) },
  },
  {
    point: 'separators in uuids of pipelines',
    reason: 'pipeline-uuid-rule',
    values: {
      collapsed: withUuid('createPipeline', (_, uuid) => uuid.replaceAll(/__+/g, '_'), () => true),
      'cut at the end': withUuid('createPipeline', (_, uuid) => uuid.replaceAll(/_+$/g, ''), () => true),
      'with a suffix': withUuid('createPipeline', (_, uuid) => `${uuid}_p`, () => true),
      'cut at 48 characters': withUuid('createPipeline', (_, uuid) => cut(uuid, 48), () => true),
    },
  },
  {
    point: 'uuids of blocks',
    reason: 'block-uuid-rule',
    values: {
      collapsed: withUuid('createBlock', (_, uuid) => uuid.replaceAll(/__+/g, '_'), () => true),
      'with a number': withUuid('createBlock', (_, uuid) => `${uuid}_2`, () => true),
      'with a prefix': withUuid('createBlock', (_, uuid) => `b_${uuid}`, () => true),
      'cut at 40 characters': withUuid('createBlock', (_, uuid) => cut(uuid, 40), () => true),
    },
  },
  {
    point: 'names that are refused',
    reason: sentence('Create pipeline', 'Human readable name'),
    values: {
      'beyond ASCII': refuses((record) => /[^ -~]/.test(nameText(record)), 'ASCII only.'),
      'longer than 50': refuses((record) => nameText(record).length > 50, 'Too long.'),
      'with blanks at an edge': refuses((record) => nameText(record) !== nameText(record).trim(), 'Trim it.'),
    },
  },
  {
    point: 'normal form of names',
    reason: sentence('Backfill', '`name` | string'),
    values: {
      trimmed: storesNames((name) => name.trim()),
      composed: storesNames((name) => name.normalize()),
      'trimmed and composed': storesNames((name) => name.trim().normalize()),
    },
  },
  {
    point: 'bodies without a record',
    reason: sentence('Create backfill', 'The sample sends only `name`'),
    values: {
      'named by the server': reads('createBackfill', () => ({ name: 'unnamed' })),
      'the body is the record': reads('createBackfill', (body) => ({
        name: isObject(body) && typeof body.name === 'string' ? body.name : 'unnamed',
      })),
      'update nothing': reads('updateBackfill', () => ({})),
    },
  },
  {
    point: 'dates that are refused',
    reason: sentence('Update backfill', '`end_datetime`'),
    values: {
      'end before start': refusesEarlyEnds,
      'units below one': refuses(({ interval_units: units }) => Number(units) < 1, 'At least one.'),
      'units beyond 1000': refuses(({ interval_units: units }) => Number(units) > 1_000, 'At most 1000.'),
    },
  },
  {
    point: 'page sizes',
    reason: 'default-limit',
    values: {
      '7 backfills': paged('listBackfills', { byDefault: 7, most: 100 }),
      '4 logs': logsAtMost(4),
      '3 tokens': paged('listOauthAccessTokens', { byDefault: 3, most: 50 }),
    },
  },
  {
    point: 'updates of pipelines',
    reason: 'create-block-effects',
    values: {
      never: onRecords('readPipeline', (pipeline) => ({ ...pipeline, updated_at: null })),
      'never in any reply': onBodies((body) =>
        deep(body, (record) => ('executor_count' in record ? { ...record, updated_at: null } : record)),
      ),
      'in whole seconds': onRecords('readPipeline', (pipeline) => ({
        ...pipeline,
        updated_at: pipeline.updated_at && `${String(pipeline.updated_at).slice(0, 19)}.000000+00:00`,
      })),
    },
  },
  {
    point: 'availability',
    reason: sentence('Limits', 'rate limits'),
    values: { 'not at each 97th': unavailable(97), 'not at each 211th': unavailable(211), 'not at each 331st': unavailable(331) },
  },
  {
    point: 'content of empty blocks',
    reason: 'create-block-nulls',
    values: {
      null: onRecords('createBlock', (block) => ({ ...block, content: block.content || null })),
      'config null': onRecords('createBlock', (block, { request }) =>
        'config' in sentRecord(request) ? block : { ...block, config: null },
      ),
      'priority null': onRecords('createBlock', (block, { request }) =>
        'priority' in sentRecord(request) ? block : { ...block, priority: null },
      ),
    },
  },
  {
    point: 'elements of blocks',
    reason: sentence('Pipeline', '`blocks` | array'),
    values: {
      uuids: blocksAs(({ uuid }) => uuid),
      'uuid and name': blocksAs(({ uuid, name }) => ({ uuid, name })),
      'objects with a uuid': blocksAs(({ uuid }) => ({ uuid, kind: 'block' })),
      'objects by uuid': blocksAs(({ uuid, type }) => ({ [String(uuid)]: { type } })),
      pairs: blocksAs(({ uuid, type }) => [uuid, type]),
    },
  },
  {
    point: 'unknown attributes',
    reason: 'unknown-attributes',
    values: {
      'dropped before they are stored': () => (request, forward) => {
        const { undocumented: _, ...record } = sentRecord(request)
        return request.operation === 'createBackfill' ? forward({ body: bodyWith(request, record) }) : forward()
      },
      'shown as null': onBodies((body) =>
        deep(body, (record) => ('pipeline_uuid' in record ? { ...record, owner: null } : record)),
      ),
      'shown as objects': onBodies((body) =>
        deep(body, (record) => ('executor_count' in record ? { ...record, links: { self: '/' } } : record)),
      ),
    },
  },
] // biome-ignore format: one value a line

/** Each value of the table alone. */
export const choiceVariants: readonly ConformingVariant[] = implementationChoices.flatMap(
  ({ point, reason, values }) =>
    Object.entries(values).map(([value, start]) => ({ name: `${point}: ${value}`, reason, start })),
)

/** Combinations of values of different points, drawn with a seed: pairs first, then of three to six. */
export function drawCombinations(seed: number, count: number): ConformingVariant[] {
  const random = seededRandom(seed, 'combinations')
  return Array.from({ length: count }, (_, index) => {
    const size = index % 2 === 0 ? 2 : 3 + Math.floor(random() * 4)
    const drawn = implementationChoices.toSorted(() => random() - 0.5).slice(0, size)
    // In the order of the table: first the encoding of a session, then its envelope.
    const points = implementationChoices.filter((choice) => drawn.includes(choice))
    const [first, ...others] = points.flatMap(({ point }) => {
      const values = choiceVariants.filter(({ name }) => name.startsWith(`${point}: `))
      return values[Math.floor(random() * values.length)] ?? []
    })
    if (first === undefined) throw new Error('There is nothing to combine.')
    const names = [first, ...others].map(({ name }) => name)
    return { ...first, name: `combination ${index + 1}: ${names.join(' + ')}`, others }
  })
}
