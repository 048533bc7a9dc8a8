// Commands of sequences that create, update and delete pipelines and backfills, and check the replies.
import type { Exchange } from '../runner/client.ts'
import { equal, listIn, type ReceivedRecord, recordIn } from '../runner/replies.ts'
import { add } from './add-tracked-record.ts'
import * as corner from './boundary-values.ts'
import { differencesFrom } from './compare.ts'
import { plansTooMuch } from './planned-dates.ts'
import { readPipeline } from './read-back.ts'
import {
  type ComparedRequest,
  errorOf,
  isSuccess,
  type SequenceRun,
  unless,
  unlessRefused,
  unlessSuccess,
} from './sequence-run.ts'
import { type Side, segment, type TrackedRecord, touch } from './tracked-records.ts'
import { compareReply, isAccepted, isUnusual, noteRefusal, type Write } from './write.ts'

/** A pipeline to create. */
export interface NewPipeline {
  /** The end of its name, after the prefix of the sequence. */
  readonly word: string
  readonly type: string
  /** True if the target may refuse the name. */
  readonly isOdd?: boolean
  /** True if another sequence checks pipelines of this kind. */
  readonly isFamiliar?: boolean
  /** True if its name has no hyphen. */
  readonly isPlain?: boolean
}

/** The lists of blocks of a new pipeline. */
const noBlocks = { blocks: [], callbacks: [], conditionals: [], widgets: [] }

/** Creates a pipeline. */
export function createPipeline(
  sequence: SequenceRun,
  { word, type, isOdd, isFamiliar, isPlain = false }: NewPipeline,
): Write {
  const name = `${sequence.prefix}${isPlain ? '_' : '-'}${word}`
  const values = { name, type }
  const request = { method: 'POST', path: () => '/api/pipelines', body: () => ({ pipeline: values }) }
  return {
    request,
    finish(both) {
      const record = recordIn(both.exchange, 'pipeline')
      const mayRefuse = isOdd || sequence.takenNames.has(name)
      if (!isAccepted(sequence, 'createPipeline', request, both, mayRefuse)) return []
      if (typeof record?.uuid !== 'string') return []
      const tracked = add(sequence, both, {
        kind: 'pipeline',
        target: record.uuid,
        model: 'uuid',
        written: values,
      })
      const uuid = flawOfUuid(record.uuid, name, '-')
      const further = differencesFrom(noBlocks, record).filter(({ attribute }) =>
        Object.hasOwn(record, attribute),
      )
      if (uuid !== undefined) further.push({ attribute: 'uuid', expected: uuid, received: record.uuid })
      compareReply(sequence, 'createPipeline', tracked, both, { further })
      tracked.isUnread = true
      // Reads the pipeline in rotation with others after it contains records.
      return isFamiliar ? [] : [{ by: 'createPipeline', touched: tracked }]
    },
  }
}

/** The longest name whose uuid must contain all of it, and the length of the part that any other uuid must contain. */
const [wholeName, partOfName] = [40, 32]

/**
 * Returns the expected uuid of a name; undefined if the uuid is possible. A target may extend it so that it is
 * unique, may shorten separators, and may cut long names. Capitals and other characters are not specified.
 */
export function flawOfUuid(uuid: string, name: string, replaced: '-' | ' '): string | undefined {
  if (uuid.includes(replaced)) return `a uuid without "${replaced}"`
  const isPlain = new RegExp(`^[a-z0-9_${replaced}]{1,64}$`).test(name)
  const expected = name.replaceAll(replaced, '_')
  const separated = (text: string) => text.toLowerCase().replaceAll(/_+/g, '_')
  const part = expected.length > wholeName ? expected.slice(0, partOfName) : expected
  const isDerived = separated(uuid).includes(separated(part).replaceAll(/^_|_$/g, ''))
  return isPlain && !isDerived ? expected : undefined
}

/** A backfill to create. */
export interface NewBackfill {
  readonly name: string
  /** True for a creation by PUT, which only an example of the specification shows. */
  readonly isSample?: boolean
}

/** Creates a backfill. */
export function createBackfill(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { name, isSample = false }: NewBackfill,
): Write {
  const values = { name }
  // Two backfills may have one name; a target may refuse the second.
  const isTaken = sequence.all('backfill', pipeline).some(({ written }) => written.name === name)
  const request: ComparedRequest = {
    method: isSample ? 'PUT' : 'POST',
    path: (side) => `/api/pipelines/${segment(pipeline, side)}/backfills`,
    body: () => ({ backfill: values }),
  }
  return {
    request,
    finish(both) {
      if (isSample) sequence.note('backfill-create/put-sample', both.exchange, unlessSuccess(both.exchange))
      const record = recordIn(both.exchange, 'backfill')
      if (isSample ? !both.succeeded : !isAccepted(sequence, 'createBackfill', request, both, isTaken))
        return []
      if (record === undefined) return []
      const tracked = add(sequence, both, {
        kind: 'backfill',
        home: pipeline,
        target: record.id,
        model: 'id',
        written: values,
      })
      compareReply(sequence, 'createBackfill', tracked, both)
      return [{ by: 'createBackfill', touched: tracked }]
    },
  }
}

/** An update of a backfill. */
export interface BackfillUpdate {
  readonly values: ReceivedRecord
  /** True if the target may refuse the values. */
  readonly isOdd?: boolean
}

/** Updates a backfill, sometimes twice by the same request; undefined if that would occupy the target for long. */
export function updateBackfill(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  { values, isOdd = false }: BackfillUpdate,
): Write | undefined {
  if (plansTooMuch({ ...backfill.written, ...values })) return undefined
  // The specification allows null in records, not in requests, and mentions no update without attributes.
  const isUnspecified = Object.keys(values).length === 0 || Object.values(values).includes(null)
  let mayRefuse = isOdd || isUnspecified || isUnusual(values, backfill.written)
  const write: Write = {
    request: updateOf(backfill, values),
    touched: backfill,
    sent: values,
    async finish(both, concurrent) {
      if (!isAccepted(sequence, 'updateBackfill', write.request, both, mayRefuse)) {
        if (!both.predicted.isError) await updateRest(sequence, backfill, values)
        return [{ by: 'updateBackfill', touched: backfill, refused: 'refused-unchanged' }]
      }
      // After null the value is the choice of the target again.
      const all = Object.entries({ ...backfill.written, ...values })
      backfill.written = Object.fromEntries(all.filter(([, value]) => value !== null))
      touch(backfill)
      noteState(sequence, both.exchange, values)
      compareReply(sequence, 'updateBackfill', backfill, both, { concurrent })
      return [{ by: 'updateBackfill', touched: backfill }]
    },
    async afterwards({ succeeded }) {
      // Other commands repeat statuses.
      if (!succeeded || 'status' in values) return
      if (!sequence.nextOf('update twice', [false, false, false, false, false, true])) return
      // A target that has stored a value must not refuse it.
      mayRefuse = false
      await write.finish(await sequence.sendToBoth(write.request), new Set())
    },
  }
  return write
}

/** Writes the usual values of an update that a target has refused together with unusual ones. */
async function updateRest(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  values: ReceivedRecord,
): Promise<void> {
  const isUsual = ([name, value]: [string, unknown]) =>
    value !== null && !name.endsWith('_datetime') && !isUnusual({ [name]: value })
  const rest = Object.fromEntries(Object.entries(values).filter(isUsual))
  const size = Object.keys(rest).length
  if (size === 0 || size === Object.keys(values).length) return
  const write = updateBackfill(sequence, backfill, { values: rest })
  if (write) await write.finish(await sequence.sendToBoth(write.request), new Set())
}

function updateOf(backfill: TrackedRecord, values: ReceivedRecord): ComparedRequest {
  return {
    method: 'PUT',
    path: (side) => `/api/pipelines/${segment(backfill.home!, side)}/backfills/${segment(backfill, side)}`,
    body: () => ({ backfill: values }),
  }
}

/** The reply shows the supplied status; only later ones may show another. */
function noteState(sequence: SequenceRun, exchange: Exchange, { status }: ReceivedRecord): void {
  const received = recordIn(exchange, 'backfill')?.status
  if ((status ?? null) === null) return
  const flaw = unless(received === status, { status: received }, { status })
  sequence.note('update-backfill/values', exchange, flaw)
}

/** Deletes a backfill, and checks that the target refuses to delete or update it again. */
export function deleteBackfill(sequence: SequenceRun, backfill: TrackedRecord): Write {
  const path = (side: Side) => `/api/backfills/${segment(backfill, side)}`
  const request = { method: 'DELETE', path }
  return {
    request,
    touched: backfill,
    finish(both, concurrent) {
      noteRefusal(sequence, 'deleteBackfill', both)
      if (!isAccepted(sequence, 'deleteBackfill', request, both)) return []
      backfill.isGone = true
      // The reply to a deletion may show the deletion of the record.
      touch(backfill)
      compareReply(sequence, 'deleteBackfill', backfill, both, { concurrent })
      return [{ by: 'deleteBackfill', touched: backfill }]
    },
    async afterwards() {
      if (!backfill.isGone) return
      // The second one follows an error.
      const again = sequence.nextOf('after a deletion', [
        ['delete'],
        ['update', 'delete'],
        ['delete', 'update'],
      ] as const)
      for (const change of again) {
        const isDeletion = change === 'delete'
        const both = await sequence.sendToBoth(isDeletion ? request : updateOf(backfill, { name: 'gone' }))
        const rule = isDeletion ? 'delete-backfill/refuses' : 'delete-backfill/read-back'
        noteRefusal(sequence, isDeletion ? 'deleteBackfill' : 'updateBackfill', both, rule)
      }
    },
  }
}

/** Deletes the remaining backfills: each reply shows the record before the deletion. */
export async function deleteRest(sequence: SequenceRun): Promise<void> {
  for (const backfill of sequence.all('backfill')) {
    const write = deleteBackfill(sequence, backfill)
    await write.finish(await sequence.sendToBoth(write.request), new Set())
  }
}

/** Valid attributes beside an unlisted value. The target must store none of them alone. */
const besideUnlisted = {
  // No dates: with a status, they may start the backfill.
  status: { interval_type: 'week', interval_units: 3, variables: { beside: 1 }, name: 'beside a status' },
  interval_type: {
    start_datetime: '2024-02-29 10:00:00',
    end_datetime: '2024-02-29 10:00:00',
    status: 'cancelled',
    name: 'beside an interval',
  },
} as const

/** Unlisted values of an attribute. */
export interface UnlistedValues {
  readonly attribute: 'status' | 'interval_type'
  readonly unlisted: readonly string[]
}

/** Sends unlisted values, checks that they are neither stored nor shown, and writes a listed value after each. */
export async function updateUnlisted(
  sequence: SequenceRun,
  backfill: TrackedRecord,
  { attribute, unlisted }: UnlistedValues,
): Promise<void> {
  if (!sequence.context.provided.allowDestructive) return
  const rule = attribute === 'status' ? 'backfill-states/unknown-status' : 'backfill-update/unknown-interval'
  const listed: readonly unknown[] = attribute === 'status' ? corner.statuses : corner.intervalTypes
  const expected = { [attribute]: 'a listed value, or an error' }
  const { path } = updateOf(backfill, {})
  const listPath = `/api/backfills?pipeline_uuid=${segment(backfill.home ?? backfill, 'target')}`
  const shownIn = (list: Exchange) =>
    listIn(list, 'backfills')?.find(({ id }) => String(id) === backfill.keys.target)
  const update = (to: unknown, others: ReceivedRecord = {}) =>
    sequence.context.put(path('target'), { backfill: { ...others, [attribute]: to } })
  let before = shownIn(await sequence.context.get(listPath))
  for (const value of unlisted) {
    const reply = await update(value, besideUnlisted[attribute])
    const received = recordIn(reply, 'backfill')?.[attribute]
    const isReplied = isSuccess(reply) && !listed.includes(received) && received !== null
    sequence.note(rule, reply, unless(!isReplied, { [attribute]: received }, expected))
    const list = await sequence.context.get(listPath)
    // A refused value that the target has stored nevertheless is in the list, or makes it fail.
    const after = shownIn(list)
    const shown = after?.[attribute]
    const isShown = !isSuccess(list) || !(listed.includes(shown) || (shown ?? null) === null)
    const inList = isSuccess(list) ? { [attribute]: shown } : errorOf(list)
    sequence.note(rule, list, unless(!isShown, inList, expected))
    if (!isSuccess(reply) && before !== undefined && after !== undefined) {
      const others = Object.keys(besideUnlisted[attribute])
      // A status may change meanwhile, but not disappear.
      const isLost = before[attribute] !== null && after[attribute] === null
      for (const name of isLost ? [attribute, ...others] : others) {
        const flaw = unless(
          equal(after[name], before[name]),
          { [name]: after[name] },
          { [name]: before[name] },
        )
        sequence.note('update-backfill/refused-unchanged', list, flaw)
      }
    }
    before = after
    // Updates it once in any case: a target may treat later requests differently.
    if (isReplied || isShown || (shown ?? null) === null) {
      const isWritten = isSuccess(await update(listed[0]))
      // A write may change the target's choices.
      if (isWritten) before = shownIn(await sequence.context.get(listPath))
    }
    // A target that has stored one value stores the others, too.
    if (isReplied || isShown) return
  }
}

/** A creation without a required attribute, or with a value that is not in its list. */
export interface RefusedCreation {
  readonly what: 'block' | 'pipeline'
  readonly values: ReceivedRecord
  /** The attribute whose value is not listed: the target may refuse it, or store a listed value instead. */
  readonly unlisted?: 'type' | 'language'
}

/** Sends an invalid creation, and checks that nothing has changed. */
export async function sendRefused(
  sequence: SequenceRun,
  pipeline: TrackedRecord,
  { what, values, unlisted }: RefusedCreation,
): Promise<void> {
  // A target that stores one such value may fail on it later: the run sends no more of the kind.
  if (unlisted !== undefined && sequence.storedUnlisted.has(`${what} ${unlisted}`)) return
  const isBlock = what === 'block'
  const named = isBlock ? `${values.name} ${sequence.prefix}` : `${sequence.prefix}-${values.name}`
  const name = typeof values.name === 'string' ? named : undefined
  const sent = { ...values, ...(name !== undefined && { name }) }
  const home = `/api/pipelines/${segment(pipeline, 'target')}`
  const reply = isBlock
    ? await sequence.send('POST', `${home}/blocks`, { body: { block: sent } })
    : await sequence.context.post('/api/pipelines', { pipeline: sent })
  const missing = (['name', 'type'] as const).find((attribute) => !Object.hasOwn(values, attribute))
  const isTaken = isSuccess(reply)
  if (missing !== undefined) sequence.note(`${what}-create/${missing}-required`, reply, unlessRefused(reply))
  if (!isBlock && name !== undefined && !isTaken) await noteNotStored(sequence, name)
  if (unlisted !== undefined) {
    const received = recordIn(reply, what)?.[unlisted]
    const isListed = listedValues(what, unlisted).includes(String(received))
    const rule =
      unlisted === 'language' ? 'block-create/language-listed' : (`${what}-create/type-listed` as const)
    const expected = { [unlisted]: 'a listed value' }
    sequence.note(rule, reply, unless(!isTaken || isListed, { [unlisted]: received }, expected))
    if (isTaken) sequence.storedUnlisted.add(`${what} ${unlisted}`)
  }
  // The model has no such block, so the run no longer compares the pipeline.
  if (isTaken) {
    if (name !== undefined) sequence.takenNames.add(name)
    if (isBlock) sequence.stopTracking(pipeline)
    return
  }
  // A record that the target refuses and stores remains: sends every second refusal right after another one.
  if (isBlock && sequence.nextOf('refused block', [true, false])) return
  await readPipeline(sequence, pipeline, {
    by: isBlock ? 'createBlock' : 'createPipeline',
    touched: pipeline,
    refused: 'refused-unchanged',
  })
}

/** The values of an attribute that the specification lists. */
function listedValues(what: RefusedCreation['what'], attribute: 'type' | 'language'): readonly string[] {
  if (what === 'pipeline') return corner.pipelineTypes
  return attribute === 'type' ? corner.blockTypes : corner.blockLanguages
}

/** Checks that the list of pipelines shows no refused name. */
async function noteNotStored(sequence: SequenceRun, name: string): Promise<void> {
  const list = await sequence.get('/api/pipelines')
  const stored = listIn(list, 'pipelines')?.filter((item) => item.name === name)
  if (stored === undefined) return
  const names = stored.map((item) => item.name)
  sequence.note('create-pipeline/refused-unchanged', list, unless(names.length === 0, names, []))
}
