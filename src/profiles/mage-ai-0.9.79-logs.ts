import { isObject } from '../shared/is-object.ts'

/** A log file as the list of logs has it. */
interface ShownFile {
  readonly name: string
  readonly path: string
  readonly content: string
}

/** A line of a log file: a moment, and an object that says the rest. */
interface SaidLine {
  readonly at: string
  readonly says: Readonly<Record<string, unknown>>
}

const momentLength = '2026-01-31T12:00:00'.length

function linesOf({ content }: ShownFile): SaidLine[] {
  return content.split('\n').flatMap((text) => {
    const said = text.slice(momentLength + 1)
    if (!said.startsWith('{')) return []
    const says: unknown = JSON.parse(said)
    return isObject(says) ? [{ at: text.slice(0, momentLength), says }] : []
  })
}

const written = (lines: readonly SaidLine[]) =>
  lines.map(({ at, says }) => `${at} ${JSON.stringify(says)}\n`).join('')

/** A file with how long it is, and when its last line was written. */
function measured(file: ShownFile) {
  const last = linesOf(file).at(-1)?.says.timestamp
  return {
    ...file,
    size: new TextEncoder().encode(file.content).length,
    modified_timestamp: typeof last === 'number' ? last : 0,
  }
}

/** What an executor says of a block before and after it; of one that has failed what went wrong stays. */
function ofExecutor(file: ShownFile): ShownFile {
  const lines = linesOf(file)
  const [first] = lines
  if (first === undefined) return file
  const say = (message: string) => ({ ...first, says: { ...first.says, level: 'INFO', message } })
  const hasEnded = lines.every(({ says }) => says.level === 'INFO')
  const rest = hasEnded ? [say('Finish executing block with BlockExecutor.')] : lines
  return { ...file, content: written([say('Start executing block with BlockExecutor.'), ...rest]) }
}

/** What its machine had to do, as it says with each look at a run. */
const load = {
  cpu: 0.25,
  cpu_total: 2,
  cpu_usage: 0.125,
  memory: 1024,
  memory_total: 4096,
  memory_usage: 0.25,
}

/** What the scheduler says of a run, in a file beside the run's own. */
function ofScheduler(file: ShownFile): ShownFile {
  const alive = linesOf(file).slice(0, 1).map(({ at, says }) => ({
    at,
    says: {
      ...load,
      ...says,
      message: `Pipeline ${says.pipeline_uuid} for run ${says.pipeline_run_id} in schedule ${says.pipeline_schedule_id} is alive.`,
    },
  })) // biome-ignore format: a line and what becomes of it
  return {
    name: 'scheduler.log',
    path: file.path.replace(/[^/]*$/, 'scheduler.log'),
    content: written(alive),
  }
}

/** The log file of a block. */
export const blockFiles = (file: unknown) => [measured(ofExecutor(file as ShownFile))]

/** The log file of a run, and that of the scheduler. */
export const runFiles = (file: unknown) => [file as ShownFile, ofScheduler(file as ShownFile)].map(measured)
