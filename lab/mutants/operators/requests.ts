import type { ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atPath,
  bodyWith,
  defineOperators,
  documentedOperations,
  earlier,
  everywhere,
  facts,
  handles,
  isUnknown,
  operatorsOf,
  pathOf,
  readList,
  recordIn,
  refusal,
  requests,
  returned,
  sentence,
  sentRecord,
  shows,
  success,
  type Target,
  unknown,
} from '../mutant.ts'
import { always200, listOfPipeline, suppliedValue, updatedValues } from '../sentences.ts'
import { isErrorReply, type MutantRequest } from '../serve-mutant.ts'
import { otherAttributes, withOthers } from './backfill-states.ts'

type Fits = (request: MutantRequest) => boolean

const json = sentence('Endpoints', 'All request bodies are JSON')
const message = sentence('Errors', '| `message`')
const writes = documentedOperations.filter((operation) => facts(operation).writes.length > 0)
const reads = documentedOperations.filter((operation) => ['list', 'read'].includes(facts(operation).action))
const creations = ['createPipeline', 'createBlock', 'createBackfill'] as const
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
  'form-accept-anything': [documentedOperations, header('accept', (value) => value === '*/*' || value === ''), html(406)],
  'form-accept-json-with-quality': [documentedOperations, header('accept', (value) => value.includes('q=')), html(406)],
  'form-accept-html': [documentedOperations, header('accept', (value) => value.includes('text/html')), html(200)],
  'form-range': [reads, header('range', (value) => value !== ''), html(206)],
  'form-if-none-match': [reads, header('if-none-match', (value) => value !== ''), { ...html(304), body: '' }],
  'form-if-modified-since': [reads, header('if-modified-since', (value) => value !== ''), { ...html(304), body: '' }],
  'form-charset': [writes, header('content-type', (value) => value.includes('charset')), html(415)],
  'form-lower-case-percent': [documentedOperations, ({ path }) => /%[0-9]?[a-f]/.test(path), unknown],
  'form-encoded-letter': [documentedOperations, ({ path }) => /%(?:6[1-9a-f]|7[0-9a])/i.test(path), unknown],
  'form-language': [documentedOperations, header('accept-language', (value) => value !== ''), html(406)],
  'form-uncompressed': [reads, header('accept-encoding', (value) => value === 'identity'), html(406)],
  'form-media-type-without-body': [reads, header('content-type', (value) => value !== ''), html(415)],
  'form-charset-in-capitals': [writes, header('content-type', (value) => value.includes('UTF-8')), html(415)],
  'form-parameters-reversed': [limited, ({ search }) => /offset=.*limit=/.test(search), refusal('Unexpected parameter.')],
  'form-encoded-parameter': [limited, ({ search }) => search.includes('%5f'), refusal('Unknown parameter.')],
  'form-chunked': [writes, header('transfer-encoding', (value) => value === 'chunked'), html(411)],
  'form-key-first': [writes, ({ body, search }) => /^\?api_key=[^&]*&/.test(search) || (isObject(body) && Object.keys(body)[0] === 'api_key'), refusal('The record is missing.')],
  'form-head': [reads, ({ method }) => method === 'HEAD', html(405)],
  'form-encoded-query-name': [['listPipelineSchedules'], ({ search }) => search.includes('%5B%5D'), refusal('Unknown parameter.')],
} // biome-ignore format: one form a line

const isNumber = (value: string) => /^\d+$/.test(value)
const paging =
  (fits: (value: string) => boolean): Fits =>
  ({ query }) =>
    ['_limit', '_offset'].some((name) => query.has(name) && fits(query.get(name) ?? ''))
const bodyText = ({ body }: MutantRequest) => (body === undefined ? '' : JSON.stringify(body))

/** Tests whether an attribute has another JSON type than it should. */
const mistyped =
  (names: readonly string[], isRight: (value: unknown) => boolean): Fits =>
  (request) =>
    Object.entries(sentRecord(request)).some(
      ([name, value]) => names.includes(name) && value !== null && !isRight(value),
    )
const texts = [
  'name',
  'type',
  'content',
  'language',
  'color',
  'status',
  'interval_type',
  'start_datetime',
  'end_datetime',
]
const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

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
  'nul-character': [writes, (request) => bodyText(request).includes('\\u0000')],
  'lone-surrogate': [writes, (request) => /\\u[dD][89a-fA-F]/.test(bodyText(request))],
  'null-record': [writes, ({ body, operation }) => isObject(body) && operation !== undefined && body[facts(operation).singular] === null],
  'record-array': [writes, ({ body, operation }) => isObject(body) && operation !== undefined && Array.isArray(body[facts(operation).singular])],
  'trigger-no-object': [['triggerPipeline'], ({ body }) => !isObject(body)],
  'other-media-type': [['createPipeline', 'createBlock'], header('content-type', (value) => /form/.test(value))],
  'parameter-empty': [limited, ({ query }) => [...query.values()].some((value) => value === '')],
  'parameter-repeated': [limited, ({ query }) => query.getAll('_limit').length > 1],
  'parameter-object': [['listBackfills'], ({ search }) => search.includes('_limit[') || search.includes('_limit%5B')],
  'record-no-object': [writes, ({ body, operation }) => isObject(body) && operation !== undefined && facts(operation).singular in body && !isObject(body[facts(operation).singular])],
  'body-no-object': [writes, ({ body }) => body !== undefined && !isObject(body)],
  'body-not-json': [writes, ({ body }) => typeof body === 'string'],
  'without-envelope': [writes, ({ body, operation }) => isObject(body) && operation !== undefined && !(facts(operation).singular in body)],
  'quote-in-filter': [['listBackfills', 'listPipelineSchedules'], ({ query }) => [...query.values()].some((value) => value.includes("'"))],
  'language-name-in-path': [['readPipeline', 'readBlock'], ({ path }) => /\/(?:constructor|__proto__)$/.test(path)],
  'long-number-in-path': [['updateBackfill', 'deleteBackfill', 'triggerPipeline'], ({ path }) => /\/\d{20,}/.test(path)],
  'unlisted-value': [['createPipeline', 'createBlock', 'updateBackfill'], (request) => hasUnlisted(request)],
  'text-of-another-type': [[...creations, 'updateBackfill'], mistyped(texts, isText)],
  'number-of-another-type': [['createBlock', 'updateBackfill'], mistyped(['priority', 'interval_units'], Number.isInteger)],
  'negative-position': [['createBlock'], mistyped(['priority'], (value) => Number(value) >= 0)],
  'object-of-another-type': [['createBlock', 'updateBackfill'], mistyped(['config', 'configuration', 'variables'], isObject)],
  'list-of-another-type': [['createBlock'], mistyped(['upstream_blocks', 'pipelines'], isTexts)],
  'null-attribute': [['createBlock'], (request) => Object.values(sentRecord(request)).includes(null)],
  duplicate: [creations, (request) => request.earlier.some(({ request: own }) => own.path === request.path && sentRecord(own).name === sentRecord(request).name)],
} // biome-ignore format: one request a line

function hasUnlisted(request: MutantRequest): boolean {
  const sent = sentRecord(request)
  return facts(request.operation ?? 'readPipeline').writes.some(
    ({ name, values }) =>
      values !== undefined && typeof sent[name] === 'string' && !values.includes(sent[name]),
  )
}

/** Changes the replies to unusual requests, which should be errors in the form of the specification. */
const onUnusual = (replyOf: (reply: ParsedReply) => ParsedReply, stated = always200): Target[] =>
  Object.entries(unusual).flatMap(([aspect, [operations, fits]]) =>
    operations.map((operation) =>
      handles(at(operation, aspect, stated, 'always'), async (request, forward) =>
        fits(request) ? replyOf(await forward()) : forward(),
      ),
    ),
  )

function withMessages({ body, ...reply }: ParsedReply): ParsedReply {
  const error = isObject(body) && isObject(body.error) ? body.error : { code: 400, type: 'invalid' }
  return { ...reply, body: { error: { ...error, message: ['Invalid.'] }, status: 200 } }
}

/** Changes that depend on the form of a request, which must not matter. */
export const formOperators = defineOperators(
  operatorsOf(forms, ([operations, fits, reply], name) =>
    operations.map((operation) => {
      const stated = name.startsWith('form-accept') ? always200 : pathOf(operation)
      return handles(at(operation, name.replace('form-', ''), stated, 'always'), (request, forward) =>
        fits(request) ? reply : forward(),
      )
    }),
  ),
)

/** Replies to requests that no operation handles. */
const onUnknownPath = (aspect: string, reply: ParsedReply): Target =>
  everywhere(
    at('readPipeline', aspect, always200, 'always'),
    () => () => (request, forward) => (request.operation === undefined ? reply : forward()),
  )

/** Changes of the replies to requests that are invalid or unusual. */
export const refusalOperators = defineOperators({
  'unusual-http-500': onUnusual(() => html(500)),
  'unusual-http-400': onUnusual((reply) => ({ ...reply, status: 400 })),
  'unusual-no-envelope': onUnusual(() => success({ detail: 'Invalid request.' })),
  'unusual-message-list': onUnusual(withMessages, message),
  'unknown-path-otherwise': [
    onUnknownPath('status', { ...unknown, status: 404 }),
    onUnknownPath('body', { status: 200, contentType: 'text/plain', body: 'Nothing here.' }),
    onUnknownPath('html', html(404)),
  ],
})

/** Tests whether a refusal has another reason than the credentials. */
const isRefused = ({ body }: ParsedReply) =>
  isObject(body) && isObject(body.error) && ![401, 403].includes(Number(body.error.code))

/** Handles requests that an earlier refusal of an operation affects. */
const afterRefusal = (
  operation: OperationId,
  aspect: string,
  isAffected: (request: MutantRequest, refused: MutantRequest) => boolean,
  reply: ParsedReply,
  isCounted: (reply: ParsedReply) => boolean = isRefused,
): Target =>
  everywhere(
    atPath(operation, aspect, 'always'),
    () => () => (request, forward) =>
      earlier(request, operation).some((own) => isCounted(own.reply) && isAffected(request, own.request))
        ? reply
        : forward(),
  )

/** Effects that a refused request must not have. */
export const afterRefusalOperators = defineOperators({
  'half-applied': [...otherAttributes, 'status'].map((name) =>
    handles(at('updateBackfill', name, updatedValues, 'always'), async (request, forward) => {
      const reply = await forward()
      const sent = sentRecord(request)
      if (isRefused(reply) && name in sent && Object.keys(sent).length > 1)
        await forward({ body: bodyWith(request, { [name]: sent[name] }) })
      return reply
    }),
  ),
  'stored-for-unknown-pipeline': everywhere(
    atPath('createBackfill', 'pipeline_uuid', 'always'),
    () => () => async (request, forward) => {
      const wanted = request.query.get('pipeline_uuid') ?? undefined
      const isGhost = earlier(request, 'createBackfill').some(
        (own) => isUnknown(own.reply) && own.request.parameters.pipeline_uuid === wanted,
      )
      if (request.operation !== 'listBackfills' || !isGhost) return forward()
      const [other] = await readList(forward, '/api/backfills?_limit=1', 'backfills')
      return success({
        backfills: [{ ...other, id: 1_000_000, pipeline_uuid: wanted }],
        metadata: { count: 1, next: false },
      })
    },
  ),
  'stored-anyway': (
    [
      ['createPipeline', { type: 'python' }],
      ['createBlock', { type: 'custom', language: 'python' }],
      ['createBackfill', {}],
    ] as const
  ).map(([operation, valid]) =>
    handles(atPath(operation, 'record', 'always'), async (request, forward) => {
      const reply = await forward()
      if (isRefused(reply) && !isUnknown(reply))
        await forward({
          body: bodyWith(request, { name: `refused ${request.nth}`, ...sentRecord(request), ...valid }),
        })
      return reply
    }),
  ),
  'name-taken': creations.map((operation) =>
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
  'not-found-remembered': (['readPipeline', 'readBlock'] as const).map((operation) =>
    afterRefusal(
      operation,
      'record',
      (request, refused) => request.operation === operation && request.path === refused.path,
      unknown,
      isUnknown,
    ),
  ),
  'session-ends-at-refusal': (
    ['createPipeline', 'createBlock', 'updateBackfill', 'deleteBlock'] as const
  ).map((operation) =>
    afterRefusal(
      operation,
      'token',
      (request, refused) =>
        (request.headers.get('oauth-token') ?? '') !== '' &&
        request.headers.get('oauth-token') === refused.headers.get('oauth-token'),
      refusal('The token is invalid.', 401, 'invalid_token'),
    ),
  ),
  'parser-poisoned': ([...creations, 'updateBackfill'] as const).map((operation) =>
    requests(at(operation, 'body', json, 'always'), (request) => {
      const last = earlier(request, operation).at(-1)
      const isLeft = last && isErrorReply(last.reply) && isObject(last.request.body)
      return isLeft ? { body: last.request.body } : undefined
    }),
  ),
})

/** Changes that happen only while several requests are in progress. */
export const concurrencyOperators = defineOperators({
  'same-id-while-overlapping': (['createBackfill', 'triggerPipeline'] as const).map((operation) =>
    shows(
      atPath(operation, 'id', 'while-another-is-answered', 'from-the-second-request', 'after-an-error'),
      (record, request) => ({ ...record, id: returned(request, operation).at(-1)?.id ?? record.id }),
    ),
  ),
  'update-lost-while-overlapping': ['record', 'status', 'variables', 'name'].map((name) =>
    handles(
      at('updateBackfill', name, suppliedValue, 'while-another-is-answered'),
      async (request, forward) => {
        const sent = sentRecord(request)
        if (name !== 'record' && !(name in sent)) return forward()
        const { own: before } = await withOthers(request, forward)
        const reply = await forward()
        const names = name === 'record' ? Object.keys(sent) : [name]
        if (before && !isErrorReply(reply))
          await forward({
            body: bodyWith(request, Object.fromEntries(names.map((own) => [own, before[own]]))),
          })
        return reply
      },
    ),
  ),
  'link-lost-while-overlapping': handles(
    at(
      'createBlock',
      'upstream_blocks',
      sentence('Create block', '`upstream_blocks`'),
      'while-another-is-answered',
    ),
    async (request, forward) => {
      const { upstream_blocks, ...sent } = sentRecord(request)
      const reply = await forward({ body: bodyWith(request, sent) })
      const block = recordIn(reply, 'block')
      return block && upstream_blocks !== undefined
        ? success({ block: { ...block, upstream_blocks } })
        : reply
    },
  ),
  'creation-lost-while-overlapping': (['createBackfill', 'createBlock'] as const).map((operation) =>
    handles(atPath(operation, 'record', 'while-another-is-answered'), async (request, forward) => {
      const reply = await forward()
      const backfill = recordIn(reply, 'backfill')
      if (backfill)
        await forward({ method: 'DELETE', path: `/api/backfills/${backfill.id}${request.search}` })
      else if (!isErrorReply(reply)) {
        const uuid = String(sentRecord(request).name).toLowerCase().replaceAll(' ', '_')
        await forward({
          method: 'DELETE',
          path: `${request.path}/${encodeURIComponent(uuid)}?force=True`,
        })
      }
      return reply
    }),
  ),
  'hidden-while-updated': everywhere(
    at('listBackfills', 'items', listOfPipeline, 'always'),
    (applies) => () => {
      const busy = new Set<string>()
      return async (request, forward) => {
        const id = request.parameters.backfill_id ?? ''
        if (request.operation === 'updateBackfill') busy.add(id)
        const reply = await forward()
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
})
