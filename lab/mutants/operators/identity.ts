import type { Changed, ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards, type Guard } from '../guards.ts'
import {
  asked,
  facts,
  named,
  type Operator,
  pathOf,
  refusal,
  type Strike,
  sentence,
  sentRecord,
} from '../mutant.ts'
import { type HeardRequest, isErrorReply, type WrongHandler } from '../wrong-server.ts'

/** A creation that makes the uuid of the name. */
type NamedCreation = 'createPipeline' | 'createBlock'

/** Makes the uuid that a wrong server gives, of the name and of the right uuid. */
type Makes = (name: string, uuid: string) => string

const hyphens = sentence('Pipeline', 'Hyphens in the name become underscores')
const blanks = sentence('Block', 'spaces become underscores')

/** Gives records another uuid, and knows them by it ever after. */
export function renames(
  operation: NamedCreation,
  makes: Makes,
  holds: (heard: HeardRequest) => boolean,
): () => WrongHandler {
  return () => {
    const wrongOf = new Map<string, string>()
    const rightOf = new Map<string, string>()
    return async (heard, ask) => {
      const created = heard.operation === operation
      const name = sentRecord(heard).name
      if (created && typeof name === 'string' && holds(heard)) {
        const right = uuidOf(name)
        const wrong = makes(name, right)
        if (wrong !== right && sentRecord(heard).uuid === undefined) {
          wrongOf.set(right, wrong)
          rightOf.set(wrong, right)
        }
      }
      if (wrongOf.size === 0) return ask()
      return renamed(await ask(translated(heard, rightOf)), wrongOf)
    }
  }
}

/** The uuid of a name by the document's rule, and the understudy's beyond it. */
function uuidOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '_')
}

function translated(heard: HeardRequest, rightOf: ReadonlyMap<string, string>): Changed {
  const path = heard.path
    .split('/')
    .map((segment) => {
      const right = rightOf.get(decodeURIComponent(segment))
      return right === undefined ? segment : encodeURIComponent(right)
    })
    .join('/')
  const query = new URLSearchParams(
    [...heard.query].map(([name, value]) => [name, rightOf.get(value) ?? value]),
  )
  const changed = { path: query.size === 0 ? path : `${path}?${query}` }
  return heard.body === undefined
    ? changed
    : { ...changed, body: deep(heard.body, rightOf, ['upstream_blocks', 'pipelines']) }
}

function renamed(reply: ParsedReply, wrongOf: ReadonlyMap<string, string>): ParsedReply {
  return {
    ...reply,
    body: deep(reply.body, wrongOf, ['uuid', 'pipeline_uuid', 'upstream_blocks', 'downstream_blocks']),
  }
}

/** Replaces texts that stand under some names, at whatever depth. */
function deep(
  value: unknown,
  map: ReadonlyMap<string, string>,
  names: readonly string[],
  isUnder = false,
): unknown {
  if (typeof value === 'string') return isUnder ? (map.get(value) ?? value) : value
  if (Array.isArray(value)) return value.map((inner) => deep(inner, map, names, isUnder))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, deep(inner, map, names, names.includes(name))]),
  )
}

function uuidStrike(operation: NamedCreation, aspect: string, stated: Statement, makes: Makes): Strike {
  return {
    operation,
    aspect,
    sentence: stated,
    guards: named('always', 'fromTheSecond', 'fromTheFourth', 'everyThird', 'afterAnError', 'beyondAscii'),
    wrong: (holds) => renames(operation, makes, (heard) => holds(asked(heard))),
  }
}

/** Keeps a character of the name in some of the places where it stands. */
const keeping =
  (character: string, keeps: (index: number, all: readonly number[]) => boolean): Makes =>
  (name, uuid) => {
    const places = [...name].flatMap((each, index) => (each === character ? [index] : []))
    return [...uuid]
      .map((each, index) =>
        places.includes(index) && keeps(places.indexOf(index), places) ? character : each,
      )
      .join('')
  }

const refusesWhere = (
  operation: OperationId,
  aspect: string,
  stated: Statement,
  guards: readonly Guard[],
  when: (heard: HeardRequest) => boolean,
): Strike => ({
  operation,
  aspect,
  sentence: stated,
  guards,
  wrong: (holds) => () => (heard, ask) =>
    heard.operation === operation && when(heard) && holds(asked(heard))
      ? refusal('Not found.', 404, 'record_not_found')
      : ask(),
})

const byPath = [
  'readPipeline', 'createBlock', 'readBlock', 'deleteBlock', 'createBackfill', 'updateBackfill', 'deleteBackfill',
  'listPipelineSchedules', 'listLogs', 'triggerPipeline',
] as const satisfies readonly OperationId[] // biome-ignore format: a list

/** What goes wrong with uuids and paths. */
export const identityOperators: readonly Operator[] = [
  {
    name: 'uuid-first-only',
    does: 'replaces only the first hyphen or blank of a name',
    strikes: [
      uuidStrike(
        'createPipeline',
        'hyphens',
        hyphens,
        keeping('-', (index) => index > 0),
      ),
      uuidStrike(
        'createBlock',
        'spaces',
        blanks,
        keeping(' ', (index) => index > 0),
      ),
    ],
  },
  {
    name: 'uuid-last-kept',
    does: 'keeps the last of several hyphens or blanks of a name',
    strikes: [
      uuidStrike(
        'createPipeline',
        'hyphens',
        hyphens,
        keeping('-', (index, all) => all.length > 1 && index === all.length - 1),
      ),
      uuidStrike(
        'createBlock',
        'spaces',
        blanks,
        keeping(' ', (index, all) => all.length > 1 && index === all.length - 1),
      ),
    ],
  },
  {
    name: 'uuid-kept',
    does: 'leaves hyphens or blanks of a name in the uuid',
    strikes: [
      uuidStrike(
        'createPipeline',
        'hyphens',
        hyphens,
        keeping('-', () => true),
      ),
      uuidStrike(
        'createBlock',
        'spaces',
        blanks,
        keeping(' ', () => true),
      ),
    ],
  },
  {
    name: 'uuid-removed',
    does: 'leaves hyphens or blanks out of the uuid',
    strikes: [
      uuidStrike('createPipeline', 'hyphens', hyphens, (name) => uuidOf(name.replaceAll('-', ''))),
      uuidStrike('createBlock', 'spaces', blanks, (name) => uuidOf(name.replaceAll(' ', ''))),
    ],
  },
  {
    name: 'uuid-made-up',
    does: 'does not derive the uuid from the name',
    strikes: [
      uuidStrike(
        'createPipeline',
        'name',
        sentence('Pipeline', 'Derived from `name`'),
        (_, uuid) =>
          `p${[...uuid].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)}`,
      ),
      uuidStrike(
        'createBlock',
        'name',
        sentence('Block', 'Generated from `name`'),
        (_, uuid) =>
          `b${[...uuid].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7)}`,
      ),
    ],
  },
  {
    name: 'uuid-hyphens-for-blanks',
    does: 'writes blanks of a name as hyphens',
    strikes: [
      uuidStrike('createBlock', 'spaces', blanks, (name, uuid) =>
        [...uuid].map((each, index) => (name[index] === ' ' ? '-' : each)).join(''),
      ),
    ],
  },
  {
    name: 'path-not-decoded',
    does: 'does not decode what a path names',
    strikes: byPath.map((operation) =>
      refusesWhere(operation, 'path', pathOf(operation), named('always'), ({ path }) => path.includes('%')),
    ),
  },
  {
    name: 'path-elsewhere',
    does: 'does not know the documented path of an operation',
    strikes: byPath.map((operation) =>
      refusesWhere(
        operation,
        'path',
        pathOf(operation),
        fittingGuards(facts(operation), undefined, ['request']),
        () => true,
      ),
    ),
  },
  {
    name: 'query-makes-unknown',
    does: 'does not know a path with a query behind it',
    strikes: byPath.map((operation) =>
      refusesWhere(
        operation,
        'path',
        sentence('Endpoints', 'The `api_key` value may be'),
        named('always'),
        ({ query }) => query.has('api_key'),
      ),
    ),
  },
  {
    name: 'refused-after-refusal',
    does: 'refuses everything once it had to refuse something',
    strikes: (['createPipeline', 'createBlock', 'createBackfill', 'triggerPipeline'] as const).map(
      (operation): Strike => ({
        operation,
        aspect: 'path',
        sentence: pathOf(operation),
        guards: named('always', 'everyThird'),
        wrong: (holds) => () => {
          let isBitter = false
          return async (heard, ask) => {
            if (heard.operation !== operation) return ask()
            if (isBitter && holds(asked(heard))) {
              isBitter = false
              return refusal('Try again.', 500, 'internal')
            }
            const reply = await ask()
            isBitter = isErrorReply(reply)
            return reply
          }
        },
      }),
    ),
  },
]
