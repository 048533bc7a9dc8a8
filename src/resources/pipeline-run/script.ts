import * as z from 'zod/mini'
import { quote } from '../../shared/errors.ts'
import { parseDuration } from '../../shared/timestamps.ts'
import { duration, positiveInteger, withDefault } from '../attributes.ts'

/** The statuses of a run that has not ended, and of one that has (`run-values`). */
export const underWayStatuses = ['initial', 'running'] as const
export const endStatuses = ['completed', 'failed', 'cancelled'] as const
export type EndStatus = (typeof endStatuses)[number]
/** The status of a run. */
export type RunStatus = (typeof underWayStatuses)[number] | EndStatus

/**
 * Script of a run: a text such as `running for 3 reads, then failed`, or its final status and duration.
 *
 * A text is a chain of steps, `initial` or `running`, each `for 3 reads`, `for 20s`, `until advanced` or for
 * the usual time. It ends with `completed` (the default), `failed` or `cancelled`.
 */
export type RunScript =
  | string
  | {
      /** `never`: the run does not end by itself. */
      readonly ends_as?: EndStatus | 'never' | undefined
      /** Milliseconds, or a text such as `'20s'`; counted from the start of the run. */
      readonly after?: string | number | undefined
    }

/**
 * One step of a run: its status and what ends it, either a time in milliseconds or a number of reads; without
 * both, it lasts until a manual advance of the run. A list of steps is the canonical form of a script. The
 * last step has a final status.
 */
export interface RunStep {
  readonly status: RunStatus
  readonly time?: number | undefined
  readonly reads?: number | undefined
}

/** Remaining steps of a run: at least its end. */
export type RunSteps = readonly [RunStep, ...RunStep[]]

/** Default duration of each kind of step, in milliseconds. */
export type UsualTimes = Readonly<Record<(typeof underWayStatuses)[number], number>>

/** Schema of the remaining steps of a run, as stored in a record. */
export const runSteps = z.array(
  z.object({
    status: z.enum([...underWayStatuses, ...endStatuses]),
    time: z.optional(z.number().check(z.minimum(0))),
    reads: z.optional(positiveInteger),
  }),
)

const allowed =
  "steps such as 'running for 3 reads, then failed': initial or running, each 'for 3 reads', 'for 20s' or " +
  "'until advanced', and at the end completed, failed or cancelled"

const scriptText = z.string().check(({ value, issues }) => {
  const steps = readSteps(value, { initial: 0, running: 0 })
  if (typeof steps === 'string')
    issues.push({ code: 'custom', input: value, message: `${allowed} (${steps})`, continue: true })
})

/** Schema of a script: a text or an object. It is never presented. */
export const runScript = z.union([
  scriptText,
  z.strictObject({
    ends_as: withDefault(z.enum([...endStatuses, 'never']), 'completed'),
    after: z.optional(duration),
  }),
])

/** Converts a validated script to its steps. */
export function toSteps(script: RunScript, usual: UsualTimes): RunSteps {
  if (typeof script === 'string') {
    const steps = readSteps(script, usual)
    if (typeof steps === 'string')
      throw new Error(`The script ${quote(script)} has not been checked: ${steps}.`)
    return steps
  }
  const { ends_as = 'completed', after } = script
  if (ends_as === 'never') return [{ status: 'running' }, { status: 'completed' }]
  const time = after === undefined ? usual.running : parseDuration(after)
  return [{ status: 'running', time }, { status: ends_as }]
}

const stepPattern =
  /^(initial|running)(?: for (\d+) reads?| for (\d+(?:\.\d+)?) ?(ms|s|m|h|d|w)| (until advanced))?$/

/** Parses the steps of a text; returns a message if one is invalid. */
function readSteps(text: string, usual: UsualTimes): RunSteps | string {
  const parts = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .split(/ ?, ?(?:then )?| then /)
  const steps: RunStep[] = []
  for (const [index, part] of parts.entries()) {
    const end = endStatuses.find((status) => status === part)
    if (end !== undefined && index === 0) return `it begins with ${end}`
    if (end !== undefined && index < parts.length - 1) return `${end} is not the last part`
    const step = end === undefined ? readStep(part, usual) : { status: end }
    if (step === undefined) return `${quote(part)} is no step`
    steps.push(step)
  }
  const [first, ...rest] = steps
  if (first === undefined) return 'it has no step'
  const isEnded = endStatuses.some((status) => status === steps.at(-1)?.status)
  return isEnded ? [first, ...rest] : [first, ...rest, { status: 'completed' }]
}

function readStep(part: string, usual: UsualTimes): RunStep | undefined {
  const match = stepPattern.exec(part)
  if (match === null) return undefined
  const [, name, reads, amount, unit, manual] = match
  const status = underWayStatuses.find((each) => each === name)
  if (status === undefined) return undefined
  if (manual !== undefined) return { status }
  if (reads !== undefined) {
    return Number(reads) >= 1 && Number.isSafeInteger(Number(reads))
      ? { status, reads: Number(reads) }
      : undefined
  }
  const time = amount === undefined ? usual[status] : parseDuration(`${amount}${unit}`)
  return time === undefined ? undefined : { status, time }
}
