import { groupByCause } from './causes.ts'
import type { Minimizer } from './minimize.ts'
import {
  noReproduction,
  type Reproduction,
  type ReproductionSource,
  writeReproduction,
} from './reproduction.ts'
import { candidatesOf, type Step, toSteps } from './steps.ts'
import type { Evidence, Reproducible, Verdicts } from './verdicts.ts'

/** Maximum number of findings to minimize, and of rules to try for each. */
const [mostMinimized, mostTried] = [8, 3]

/** Inputs of the reproductions. */
interface ReproductionOptions {
  readonly source: ReproductionSource
  readonly prefix: string
  /** The headers of a plain request; undefined if the target accepts credentials only in other places. */
  readonly credentials: Readonly<Record<string, string>> | undefined
  /** Undefined if the run must not repeat requests. */
  readonly minimizer: Minimizer | undefined
}

/** Adds one reproduction to all deviations of each cause: the shortest that shows the deviation again. */
export async function addReproductions(verdicts: Verdicts, options: ReproductionOptions): Promise<void> {
  const groups = groupByCause(verdicts.reproducible(), ({ rule }) => rule.source === 'specified')
  for (const [index, { all }] of groups.entries()) {
    const isReplayed = index < mostMinimized
    const minimizer = isReplayed ? options.minimizer : undefined
    const { written, shown } = await reproductionOf(all, { ...options, minimizer })
    const isUntried = !isReplayed && options.minimizer !== undefined && written !== noReproduction
    verdicts.addReproduction(all, isUntried ? withNote(untriedNote, written) : written, shown)
  }
}

/** A reproduction, and the deviation that it shows. */
interface ShownReproduction {
  readonly written: Reproduction
  readonly shown: Evidence | undefined
}

async function reproductionOf(
  all: readonly Reproducible[],
  { source, prefix, credentials, minimizer }: ReproductionOptions,
): Promise<ShownReproduction> {
  let unconfirmed: { readonly finding: Reproducible; readonly steps: readonly Step[] } | undefined
  for (const finding of all.slice(0, mostTried)) {
    const { exchange, history, rule, evidence: difference } = finding
    const isAboutCredentials = rule.section === 'Authentication' || rule.id.endsWith('/credentials')
    // Plain credentials are easier to read, if the deviation does not need others.
    const forms = isAboutCredentials ? [undefined] : [credentials, undefined]
    for (const form of new Set(forms)) {
      const steps = toSteps(history, { prefix, credentials: form, hasOwnHeaders: minimizer === undefined })
      if (steps === undefined || steps.length === 0) continue
      const [fewest = steps] = candidatesOf(steps)
      if (minimizer === undefined)
        return {
          written: { ...writeReproduction(source, fewest, difference), headers: [] },
          shown: difference,
        }
      const shortest = await minimizer.shortest(steps, { rule, exchange, difference, isAboutCredentials })
      if (shortest !== undefined)
        return { written: writeReproduction(source, shortest, difference), shown: difference }
      unconfirmed ??= { finding, steps: fewest }
    }
  }
  if (unconfirmed === undefined) return { written: noReproduction, shown: undefined }
  const { finding, steps } = unconfirmed
  const written = writeReproduction(source, steps, finding.evidence)
  return { written: withNote(unconfirmedNote, written), shown: finding.evidence }
}

/** Writes a note above the script of a reproduction. */
function withNote(note: string, written: Reproduction): Reproduction {
  return { ...written, script: `${note}\n${written.script}`, headers: [] }
}

/** The first line of a script whose replays did not show the deviation. */
export const unconfirmedNote =
  '# Replays did not show this deviation again: it may need concurrent requests, or more of those before it.'

/** The first line of a script that was not replayed, because earlier findings took all replays of the run. */
export const untriedNote = `# Not replayed: a run replays the scripts of its first ${mostMinimized} findings only.`
