import type { Json, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  bodyWith,
  defineOperators,
  documentedOperations,
  facts,
  handles,
  isUnknown,
  pathOf,
  readList,
  recordIn,
  refusal,
  remembers,
  sentence,
  sentRecord,
  type Target,
  unknown,
  without,
} from '../mutant.ts'
import { isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { always, named } from '../triggers.ts'

type Fits = (request: MutantRequest) => boolean

const always200 = sentence('Errors', 'Every response carries HTTP status 200')
const json = sentence('Endpoints', 'All request bodies are JSON')
const message = sentence('Errors', '| `message`')
const writes = documentedOperations.filter((operation) => facts(operation).writes.length > 0)
const reads = documentedOperations.filter((operation) => ['list', 'read'].includes(facts(operation).action))
const limited = ['listBackfills', 'listOauthAccessTokens', 'listLogs'] as const
const html = (status: number): ParsedReply => ({
  status,
  contentType: 'text/html',
  body: `<h1>${status}</h1>`,
})
const header =
  (name: string, fits: (value: string) => boolean): Fits =>
  ({ headers }) =>
    fits(headers.get(name) ?? '')

/** Forms of a request that must not matter, with the operations, and the reply that a mutant gives. */
const forms: Readonly<Record<string, readonly [operations: readonly OperationId[], fits: Fits, reply: ParsedReply]>> = {
  'accept-anything': [documentedOperations, header('accept', (value) => value === '*/*' || value === ''), html(406)],
  'accept-json-with-quality': [documentedOperations, header('accept', (value) => value.includes('q=')), html(406)],
  'accept-html': [documentedOperations, header('accept', (value) => value.includes('text/html')), html(200)],
  range: [reads, header('range', (value) => value !== ''), html(206)],
  'if-none-match': [reads, header('if-none-match', (value) => value !== ''), { ...html(304), body: '' }],
  'if-modified-since': [reads, header('if-modified-since', (value) => value !== ''), { ...html(304), body: '' }],
  charset: [writes, header('content-type', (value) => value.includes('charset')), html(415)],
  'lower-case-percent': [documentedOperations, ({ path }) => /%[0-9]?[a-f]/.test(path), unknown],
  'encoded-letter': [documentedOperations, ({ path }) => /%(?:6[1-9a-f]|7[0-9a])/i.test(path), unknown],
  'encoded-query-name': [['listPipelineSchedules'], ({ search }) => search.includes('%5B%5D'), refusal('Unknown parameter.')],
} // biome-ignore format: one form a line

const isNumber = (value: string) => /^\d+$/.test(value)
const paging =
  (fits: (value: string) => boolean): Fits =>
  ({ query }) =>
    ['_limit', '_offset'].some((name) => query.has(name) && fits(query.get(name) ?? ''))
const bodyText = ({ body }: MutantRequest) => (body === undefined ? '' : JSON.stringify(body))

/** Invalid or unusual requests, and the operations that get them. */
const unusual: Readonly<Record<string, readonly [operations: readonly OperationId[], fits: Fits]>> = {
  'long-path': [documentedOperations, ({ path }) => path.length > 1_000],
  'long-query': [reads, ({ search }) => search.length > 1_000],
  'large-body': [writes, (request) => bodyText(request).length > 100_000],
  'media-type': [writes, header('content-type', (value) => value !== '' && !value.includes('json'))],
  'negative-paging': [limited, paging((value) => value.startsWith('-'))],
  'non-numeric-paging': [limited, paging((value) => !isNumber(value) && !value.startsWith('-'))],
  'huge-paging': [limited, paging((value) => isNumber(value) && value.length > 15)],
  'non-numeric-timestamp': [['listLogs'], ({ query }) => query.has('start_timestamp') && !isNumber(query.get('start_timestamp') ?? '')],
  'nul-character': [[...writes, 'readPipeline'], (request) => request.path.includes('%00') || bodyText(request).includes('\\u0000')],
  'lone-surrogate': [writes, (request) => /\\u[dD][89a-fA-F]/.test(bodyText(request))],
  'record-no-object': [writes, ({ body, operation }) => isObject(body) && operation !== undefined && facts(operation).singular in body && !isObject(body[facts(operation).singular])],
  'body-no-object': [writes, ({ body }) => body !== undefined && !isObject(body)],
  'body-not-json': [writes, ({ body }) => typeof body === 'string'],
  'without-envelope': [writes, ({ body, operation }) => isObject(body) && operation !== undefined && !(facts(operation).singular in body)],
  'quote-in-filter': [['listBackfills', 'listPipelineSchedules'], ({ query }) => [...query.values()].some((value) => value.includes("'"))],
  'language-name-in-path': [['readPipeline', 'readBlock'], ({ path }) => /\/(?:constructor|__proto__)$/.test(path)],
  'long-number-in-path': [['updateBackfill', 'deleteBackfill', 'triggerPipeline'], ({ path }) => /\/\d{20,}/.test(path)],
  'unlisted-value': [['createPipeline', 'createBlock', 'updateBackfill'], (request) => hasUnlisted(request)],
} // biome-ignore format: one request a line

function hasUnlisted(request: MutantRequest): boolean {
  const sent = sentRecord(request)
  return facts(request.operation ?? 'readPipeline').writes.some(
    ({ name, values }) =>
      values !== undefined && typeof sent[name] === 'string' && !values.includes(sent[name]),
  )
}

const isDuplicate = (): ((request: MutantRequest) => boolean) => {
  const names = new Set<string>()
  return (request) => {
    const key = `${request.path} ${sentRecord(request).name}`
    const isKnown = names.has(key)
    names.add(key)
    return isKnown
  }
}

/** The ways in which a mutant replies to a request that it should refuse in the form of the specification. */
const crashes: Readonly<Record<string, (reply: ParsedReply) => ParsedReply>> = {
  'http-500': () => html(500),
  'http-400': (reply) => ({ ...reply, status: 400 }),
  'no-envelope': () => ({
    status: 200,
    contentType: 'application/json',
    body: { detail: 'Invalid request.' },
  }),
  'message-list': ({ body, ...reply }) => {
    const error = isObject(body) && isObject(body.error) ? body.error : { code: 400, type: 'invalid' }
    return { ...reply, body: { error: { ...error, message: ['Invalid.'] }, status: 200 } }
  },
}

/** Replies to unusual requests otherwise. */
const onUnusual = (crash: keyof typeof crashes): Target[] => {
  const replyOf = crashes[crash] ?? ((reply) => reply)
  return [
    ...Object.entries(unusual).flatMap(([aspect, [operations, fits]]) =>
      operations.map((operation) =>
        handles(at(operation, aspect, always200, always), async (request, ask) =>
          fits(request) ? replyOf(await ask()) : ask(),
        ),
      ),
    ),
    ...(['createPipeline', 'createBlock', 'createBackfill'] as const).map((operation) =>
      remembers(
        at(operation, 'duplicate', crash === 'message-list' ? message : always200, always),
        (applies) => () => {
          const isKnown = isDuplicate()
          return async (request, ask) => (applies(request) && isKnown(request) ? replyOf(await ask()) : ask())
        },
      ),
    ),
  ]
}

/** Changes that depend on the form of a request, which must not matter. */
export const formOperators = defineOperators(
  Object.fromEntries(
    Object.entries(forms).map(([name, [operations, fits, reply]]) => [
      `form-${name}`,
      [
        `does not handle a request of another form: ${name}`,
        operations.map((operation) =>
          handles(
            at(operation, name, name.startsWith('accept') ? always200 : pathOf(operation), always),
            (request, ask) => (fits(request) ? reply : ask()),
          ),
        ),
      ] as const,
    ]),
  ),
)

/** Replies to requests that no operation handles. */
const onUnknownPath = (aspect: string, reply: ParsedReply): Target =>
  remembers(
    at('readPipeline', aspect, always200, always),
    () => () => (request, ask) => (request.operation === undefined ? reply : ask()),
  )

/** Changes of the replies to requests that are invalid or unusual. */
export const refusalOperators = defineOperators({
  ...Object.fromEntries(
    Object.keys(crashes).map((crash) => [
      `unusual-${crash}`,
      [`replies to an unusual request with ${crash}`, onUnusual(crash)] as const,
    ]),
  ),
  'unknown-path-otherwise': [
    'replies to an unknown path or method otherwise',
    onUnknownPath('status', { ...unknown, status: 404 }),
    onUnknownPath('body', { status: 200, contentType: 'text/plain', body: 'Nothing here.' }),
    onUnknownPath('html', html(404)),
  ],
})

/** Tests whether a request was refused for another reason than its credentials. */
const isRefused = ({ body }: ParsedReply) =>
  isObject(body) && isObject(body.error) && ![401, 403].includes(Number(body.error.code))

/** Remembers that an operation was refused, and handles later requests otherwise. */
const afterRefusal = (
  operation: OperationId,
  aspect: string,
  affected: (request: MutantRequest, refused: MutantRequest) => boolean,
  reply: ParsedReply,
  isCounted: (reply: ParsedReply) => boolean = isRefused,
): Target =>
  remembers(at(operation, aspect, pathOf(operation), always), (applies) => () => {
    const refused: MutantRequest[] = []
    return async (request, ask) => {
      if (refused.some((earlier) => affected(request, earlier)) && applies({ ...request, operation }))
        return reply
      const good = await ask()
      if (request.operation === operation && isCounted(good)) refused.push(request)
      return good
    }
  })

/** Changes of what a refused request leaves behind. */
export const afterRefusalOperators = defineOperators({
  'half-applied': [
    'stores the valid attributes of a refused update',
    ['name', 'start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables', 'status'].map(
      (name) =>
        handles(
          at('updateBackfill', name, sentence('Update backfill', 'with the updated values'), always),
          async (request, ask) => {
            const reply = await ask()
            const sent = sentRecord(request)
            if (isRefused(reply) && name in sent && Object.keys(sent).length > 1)
              await ask({ body: bodyWith(request, { [name]: sent[name] }) })
            return reply
          },
        ),
    ),
  ],
  'stored-anyway': [
    'stores a record whose creation it refused',
    (
      [
        ['createPipeline', { type: 'python' }],
        ['createBlock', { type: 'custom', language: 'python' }],
        ['createBackfill', {}],
      ] as const
    ).map(([operation, valid]) =>
      handles(at(operation, 'record', pathOf(operation), always), async (request, ask) => {
        const reply = await ask()
        if (isRefused(reply) && !isUnknown(reply))
          await ask({
            body: bodyWith(request, { name: `refused ${request.nth}`, ...sentRecord(request), ...valid }),
          })
        return reply
      }),
    ),
  ],
  'name-taken': [
    'refuses the name of a record whose creation it refused',
    (['createPipeline', 'createBlock', 'createBackfill'] as const).map((operation) =>
      afterRefusal(
        operation,
        'name',
        (request, refused) =>
          request.operation === operation &&
          request.path === refused.path &&
          sentRecord(request).name !== undefined &&
          sentRecord(request).name === sentRecord(refused).name,
        refusal('The name is taken.'),
      ),
    ),
  ],
  'not-found-remembered': [
    'reports a record as unknown that was unknown before',
    (['readPipeline', 'readBlock'] as const).map((operation) =>
      afterRefusal(
        operation,
        'record',
        (request, refused) => request.operation === operation && request.path === refused.path,
        unknown,
        isUnknown,
      ),
    ),
  ],
  'session-ends-at-refusal': [
    'refuses the token of a client after a refused request',
    (['createPipeline', 'createBlock', 'updateBackfill', 'deleteBlock'] as const).map((operation) =>
      afterRefusal(
        operation,
        'token',
        (request, refused) =>
          (request.headers.get('oauth-token') ?? '') !== '' &&
          request.headers.get('oauth-token') === refused.headers.get('oauth-token'),
        refusal('The token is invalid.', 401, 'invalid_token'),
      ),
    ),
  ],
  'parser-poisoned': [
    'reads the body of the refused request again',
    (['createPipeline', 'createBlock', 'createBackfill', 'updateBackfill'] as const).map((operation) =>
      remembers(at(operation, 'body', json, always), (applies) => () => {
        let refused: unknown
        return async (request, ask) => {
          if (request.operation !== operation) return ask()
          const left = refused
          refused = undefined
          const reply = await ask(left !== undefined && applies(request) ? { body: left } : undefined)
          if (isErrorReply(reply) && left === undefined && isObject(request.body)) refused = request.body
          return reply
        }
      }),
    ),
  ],
})

/** Changes that happen only while several requests are in progress. */
export const concurrencyOperators = defineOperators({
  'same-id-while-overlapping': [
    'gives two records that are created at the same time one id',
    (['createBackfill', 'triggerPipeline'] as const).map((operation) =>
      remembers(
        at(
          operation,
          'id',
          pathOf(operation),
          named('while-another-is-answered', 'from-the-second-request', 'after-an-error'),
        ),
        (applies) => () => {
          let previous: unknown
          return async (request, ask) => {
            const reply = await ask()
            const { singular } = facts(operation)
            const record = recordIn(reply, singular)
            if (request.operation !== operation || !record) return reply
            const before = previous
            previous = record.id
            return applies(request) && before !== undefined
              ? { ...reply, body: { [singular]: { ...record, id: before } } }
              : reply
          }
        },
      ),
    ),
  ],
  'update-lost-while-overlapping': [
    'loses one of two updates at the same time',
    ['record', 'status', 'variables', 'name'].map((name) =>
      handles(
        at(
          'updateBackfill',
          name,
          sentence('States and transitions', 'the supplied value'),
          named('while-another-is-answered'),
        ),
        async (request, ask) => {
          const sent = sentRecord(request)
          if (name !== 'record' && !(name in sent)) return ask()
          const before = (await readList(ask, `/api/backfills${request.search}`, 'backfills')).find(
            ({ id }) => String(id) === request.parameters.backfill_id,
          )
          const reply = await ask()
          const names = name === 'record' ? Object.keys(sent) : [name]
          if (before && !isErrorReply(reply))
            await ask({ body: bodyWith(request, Object.fromEntries(names.map((own) => [own, before[own]]))) })
          return reply
        },
      ),
    ),
  ],
  'link-lost-while-overlapping': [
    'loses links of blocks that are created at the same time',
    handles(
      at(
        'createBlock',
        'upstream_blocks',
        sentence('Create block', '`upstream_blocks`'),
        named('while-another-is-answered'),
      ),
      async (request, ask) => {
        const { body } = await ask({
          body: bodyWith(request, without(sentRecord(request), 'upstream_blocks')),
        })
        const block: Json = isObject(body) && isObject(body.block) ? body.block : {}
        const { upstream_blocks } = sentRecord(request)
        return isObject(body) && 'block' in body && upstream_blocks !== undefined
          ? { status: 200, contentType: 'application/json', body: { block: { ...block, upstream_blocks } } }
          : { status: 200, contentType: 'application/json', body }
      },
    ),
  ],
  'creation-lost-while-overlapping': [
    'does not store a record that is created at the same time as another one',
    (['createBackfill', 'createBlock'] as const).map((operation) =>
      handles(
        at(operation, 'record', pathOf(operation), named('while-another-is-answered')),
        async (request, ask) => {
          const reply = await ask()
          const backfill = recordIn(reply, 'backfill')
          if (backfill)
            await ask({ method: 'DELETE', path: `/api/backfills/${backfill.id}${request.search}` })
          else if (!isErrorReply(reply)) {
            const uuid = String(sentRecord(request).name).toLowerCase().replaceAll(' ', '_')
            await ask({ method: 'DELETE', path: `${request.path}/${encodeURIComponent(uuid)}?force=True` })
          }
          return reply
        },
      ),
    ),
  ],
  'hidden-while-updated': [
    'lists no backfill that is being updated',
    remembers(
      at('listBackfills', 'items', sentence('Read backfills', 'Pipeline whose backfills are read'), always),
      (applies) => () => {
        const busy = new Set<string>()
        return async (request, ask) => {
          const id = request.parameters.backfill_id ?? ''
          if (request.operation === 'updateBackfill') busy.add(id)
          const reply = await ask()
          if (request.operation === 'updateBackfill') {
            await new Promise((resolve) => setTimeout(resolve, 3))
            busy.delete(id)
          }
          if (!applies(request) || !isObject(reply.body) || !Array.isArray(reply.body.backfills)) return reply
          const backfills = reply.body.backfills.filter((record) => !record || !busy.has(String(record.id)))
          return { ...reply, body: { ...reply.body, backfills } }
        }
      },
    ),
  ],
})
