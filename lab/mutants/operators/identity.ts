import type { Changed, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import {
  at,
  atPath,
  defineOperators,
  earlier,
  early,
  everywhere,
  handles,
  pathOf,
  refusal,
  sentence,
  sentRecord,
  type Target,
  unknown,
  type When,
} from '../mutant.ts'
import { isErrorReply, type MutantRequest, type Start } from '../serve-mutant.ts'

type NamedCreation = 'createPipeline' | 'createBlock'

/** Creates the uuid of a mutant from a name and the correct uuid. */
export type ToUuid = (name: string, uuid: string) => string

const hyphens = sentence('Pipeline', 'Hyphens in the name become underscores')
const blanks = sentence('Block', 'spaces become underscores')

/** Creates the correct uuid of a name. */
const correctUuid = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '_')

/** Gives records another uuid, and finds them by it from then on. */
export const withUuid =
  (operation: NamedCreation, toUuid: ToUuid, applies: (request: MutantRequest) => boolean): Start =>
  () => {
    const shown = new Map<string, string>()
    const stored = new Map<string, string>()
    return async (request, forward) => {
      const { name, uuid } = sentRecord(request)
      const isCreated = request.operation === operation && typeof name === 'string' && uuid === undefined
      if (isCreated && applies(request)) {
        const correct = correctUuid(name)
        const other = toUuid(name, correct)
        if (other !== correct) {
          shown.set(correct, other)
          stored.set(other, correct)
        }
      }
      return shown.size === 0 ? forward() : withUuids(await forward(toStored(request, stored)), shown)
    }
  }

const uuids = (operation: NamedCreation, aspect: string, stated: Statement, toUuid: ToUuid): Target =>
  everywhere(
    at(
      operation,
      aspect,
      stated,
      ...early,
      'from-the-fourth-request',
      'every-third-request',
      'after-an-error',
      'only-beyond-ascii',
    ),
    (applies) => withUuid(operation, toUuid, applies),
  )

function toStored({ path, query, body }: MutantRequest, stored: ReadonlyMap<string, string>): Changed {
  const segments = path.split('/').map((segment) => {
    const uuid = stored.get(decodeURIComponent(segment))
    return uuid === undefined ? segment : encodeURIComponent(uuid)
  })
  const changed = new URLSearchParams([...query].map(([name, value]) => [name, stored.get(value) ?? value]))
  return {
    path: changed.size === 0 ? segments.join('/') : `${segments.join('/')}?${changed}`,
    ...(body !== undefined && { body: replaced(body, stored, ['upstream_blocks', 'pipelines']) }),
  }
}

function withUuids(reply: ParsedReply, shown: ReadonlyMap<string, string>): ParsedReply {
  const names = ['uuid', 'pipeline_uuid', 'upstream_blocks', 'downstream_blocks']
  return { ...reply, body: replaced(reply.body, shown, names) }
}

/** Replaces texts under some names, at any depth. */
function replaced(
  value: unknown,
  map: ReadonlyMap<string, string>,
  names: readonly string[],
  isUnder = false,
): unknown {
  if (typeof value === 'string') return isUnder ? (map.get(value) ?? value) : value
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, map, names, isUnder))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaced(inner, map, names, names.includes(name))]),
  )
}

/** Leaves a character of the name in the uuid, in some places. */
const leaves =
  (character: string, fits: (index: number, all: readonly number[]) => boolean): ToUuid =>
  (name, uuid) => {
    const places = [...name].flatMap((each, index) => (each === character ? [index] : []))
    return [...uuid]
      .map((each, index) =>
        places.includes(index) && fits(places.indexOf(index), places) ? character : each,
      )
      .join('')
  }

/** Changes the uuid of pipelines at hyphens, and of blocks at blanks. */
const both = (toUuid: (character: '-' | ' ') => ToUuid): Target[] => [
  uuids('createPipeline', 'hyphens', hyphens, toUuid('-')),
  uuids('createBlock', 'spaces', blanks, toUuid(' ')),
]
const hash = (uuid: string) =>
  `x${[...uuid].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)}`

const byPath = [
  'readPipeline', 'createBlock', 'readBlock', 'deleteBlock', 'createBackfill', 'updateBackfill', 'deleteBackfill',
  'listPipelineSchedules', 'listLogs', 'triggerPipeline',
] as const satisfies readonly OperationId[] // biome-ignore format: one list

/** Reports an unknown record for matching requests. */
const notFound = (
  fits: (request: MutantRequest) => boolean,
  stated?: Statement,
  ...triggers: readonly When[]
): Target[] =>
  byPath.map((operation) =>
    handles(at(operation, 'path', stated ?? pathOf(operation), ...triggers), (request, forward) =>
      fits(request) ? unknown : forward(),
    ),
  )

const tryAgain = refusal('Try again.', 500, 'internal')

/** Changes of uuids and paths. */
export const identityOperators = defineOperators({
  'uuid-first-only': both((character) => leaves(character, (index) => index > 0)),
  'uuid-last-kept': both((character) =>
    leaves(character, (index, all) => all.length > 1 && index === all.length - 1),
  ),
  'uuid-kept': both((character) => leaves(character, () => true)),
  'uuid-removed': both((character) => (name) => correctUuid(name.replaceAll(character, ''))),
  'uuid-made-up': [
    uuids('createPipeline', 'name', sentence('Pipeline', 'Derived from `name`'), (_, uuid) => hash(uuid)),
    uuids('createBlock', 'name', sentence('Block', 'Generated from `name`'), (_, uuid) => hash(uuid)),
  ],
  'uuid-hyphens-for-blanks': uuids('createBlock', 'spaces', blanks, (name, uuid) =>
    [...uuid].map((each, index) => (name[index] === ' ' ? '-' : each)).join(''),
  ),
  'path-not-decoded': notFound(({ path }) => path.includes('%'), undefined, 'always'),
  'longer-uuid-found': handles(
    at('readPipeline', 'path', pathOf('readPipeline'), 'always'),
    async (request, forward) => {
      const reply = await forward()
      const uuid = request.parameters.uuid ?? ''
      const shorter = `/api/pipelines/${uuid.slice(0, -1)}${request.search}`
      return isErrorReply(reply) && uuid.endsWith('_') ? forward({ path: shorter }) : reply
    },
  ),
  'path-elsewhere': notFound(() => true),
  'query-makes-unknown': notFound(
    ({ query }) => query.has('api_key'),
    sentence('Endpoints', 'The `api_key` value may be'),
    'always',
  ),
  'refused-after-refusal': (
    ['createPipeline', 'createBlock', 'createBackfill', 'triggerPipeline'] as const
  ).map((operation) =>
    handles(atPath(operation, 'path', 'always', 'every-third-request'), (request, forward) => {
      const last = earlier(request, operation).at(-1)?.reply
      return last && isErrorReply(last) && last !== tryAgain ? tryAgain : forward()
    }),
  ),
})
