import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import type { Statement } from '../../../contract-tests/rules/document.ts'
import type { OperationId } from '../../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards, type Guard, type GuardName } from '../guards.ts'
import { asked, facts, named, type Strike, sentence } from '../mutant.ts'
import { type Ask, type HeardRequest, isErrorReply, type WrongHandler } from '../wrong-server.ts'
import { attributeStrike } from './attribute-strikes.ts'

export type StateStrikeBuilder = (holds: (heard: HeardRequest) => boolean) => () => WrongHandler

/** Strikes one operation: what it does to what is stored. */
export function strike(
  operation: OperationId,
  aspect: string,
  stated: Statement,
  build: StateStrikeBuilder,
  guards?: readonly Guard[],
): Strike {
  return {
    operation,
    aspect,
    sentence: stated,
    guards: guards ?? fittingGuards(facts(operation), undefined, ['request']),
    wrong: (holds) => build((heard) => heard.operation === operation && holds(asked(heard))),
  }
}

export const few: readonly GuardName[] = [
  'always',
  'fromTheSecond',
  'fromTheFourth',
  'everyThird',
  'afterAnError',
  'overlapping',
  'keyInQuery',
]

export const removed = sentence('States and transitions', 'the removed record is returned')
export const anyBackfill = sentence('States and transitions', 'the supplied value')
export const updateNeedsId = sentence('What the service does', 'An update needs the id')
export const createBackfill = sentence('Create backfill', 'a newly created backfill has null')
export const newBackfill = sentence('States and transitions', 'pipeline uuid in the path')
export const newPipeline = sentence('Create pipeline', 'A new pipeline has empty')
export const newRun = sentence('States and transitions', '`event_variables` is set from the request body')
export const refusedSentence = sentence('Delete block', 'the deletion is refused')
export const deletesBlock = sentence('Delete block', 'deletes a block from a pipeline')
const triggerToken = sentence('Trigger pipeline', 'Unique token of the schedule to trigger')
export const triggerSchedule = sentence('Trigger pipeline', 'Schedule the run belongs to')

/** Reads one list of the API as the asking client. */
export async function read(ask: Ask, path: string, plural: string): Promise<Json[]> {
  const { body } = await ask({ method: 'GET', path, body: undefined })
  const records = isObject(body) ? body[plural] : undefined
  return Array.isArray(records) ? records.filter(isObject) : []
}

/** The backfills that are neighbours of one: of the same pipeline, or of others. */
export async function neighbours(heard: HeardRequest, ask: Ask, isOfSamePipeline: boolean): Promise<Json[]> {
  const all = await read(ask, `/api/backfills${heard.search}`, 'backfills')
  const own = all.find(({ id }) => String(id) === heard.parameters.backfill_id)
  return all.filter(
    (other) => other !== own && (other.pipeline_uuid === own?.pipeline_uuid) === isOfSamePipeline,
  )
}

/** Values that a new record may not begin with. */
export function beginsWith(operation: OperationId, stated: Statement, values: Json): Strike[] {
  return Object.entries(values).map(([name, value]) =>
    attributeStrike(operation, name, stated, (record) => ({ ...record, [name]: value })),
  )
}

export const seconds = '2026-01-31 12:00:00'

export function nearTokens(
  kind: string,
  isNear: (given: string, own: string, all: readonly string[]) => boolean,
): Strike[] {
  return [
    strike(
      'triggerPipeline',
      `token-${kind}`,
      triggerToken,
      (holds) => () => {
        const tokens = new Map<string, string>()
        return async (heard, ask) => {
          const reply = await ask()
          const listed = isObject(reply.body)
            ? (reply.body.pipeline_schedules ?? [reply.body.pipeline_schedule])
            : undefined
          for (const schedule of Array.isArray(listed) ? listed.filter(isObject) : [])
            tokens.set(String(schedule.id), String(schedule.token))
          const { pipeline_schedule_id: id = '', token = '' } = heard.parameters
          const own = tokens.get(id)
          if (
            !holds(heard) ||
            !isErrorReply(reply) ||
            own === undefined ||
            !isNear(token, own, [...tokens.values()])
          )
            return reply
          return ask({ path: `/api/pipeline_schedules/${id}/pipeline_runs/${own}` })
        }
      },
      named('always', 'fromTheSecond', 'fromTheFourth'),
    ),
  ]
}

export function isUnknown(body: unknown): boolean {
  return isObject(body) && isObject(body.error) && body.error.code === 404
}

const { attributes } = facts('updateBackfill')
const moments =
  attributes === 'all' ? [] : attributes.filter(({ isMoment }) => isMoment).map(({ name }) => name)

/** A backfill as a write shows it: with seconds. */
export function asWritesShow(record: Json): Json {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      moments.includes(name) && typeof value === 'string' ? value.slice(0, 19) : value,
    ]),
  )
}
