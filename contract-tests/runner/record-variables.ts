import { addressOf } from './plain-address.ts'
import { patternOfRun } from './run-id.ts'
import type { SentRequest } from './sent-requests.ts'
import { variable } from './shell.ts'

/** The kinds of records that a script creates, with their collections. The id or uuid of each is a variable. */
export const collections = {
  PIPELINE: 'pipelines',
  BACKFILL: 'backfills',
  SCHEDULE: 'pipeline_schedules',
  RUN: 'pipeline_runs',
} as const

type StepKind = keyof typeof collections

/** A record that a step creates, and the variable that holds its id or uuid. */
export interface MadeRecord {
  readonly kind: StepKind
  readonly name: string
  readonly hasToken: boolean
}

/** Requests that create a record. */
const creations: readonly (readonly [kind: StepKind, request: RegExp])[] = [
  ['PIPELINE', /^POST \/api\/pipelines$/],
  ['BACKFILL', /^P[A-Z]+ \/api\/pipelines\/[^/]+\/backfills$/],
  ['SCHEDULE', /^POST \/api\/pipelines\/[^/]+\/pipeline_schedules$/],
  ['RUN', /^POST .*\/pipeline_runs\/[^/]+$/],
]

/** A record in a path that has an id. */
export const recordWithId = /(?<=\/)(backfills|pipeline_schedules|pipeline_runs)\/(\d+)(?=[/?]|$)/

/** The variables of the records that the steps so far have created. */
export class RecordVariables {
  readonly #run: RegExp | undefined
  readonly #counts: Partial<Record<StepKind, number>> = {}
  /** The variables of ids, by the path of the record. */
  readonly #byId = new Map<string, string>()
  /** The variables of uuids and tokens. */
  readonly #byText = new Map<string, string>()

  constructor(prefix: string) {
    this.#run = prefix === '' ? undefined : new RegExp(patternOfRun(prefix), 'g')
  }

  /** Adds the record that a request has created. */
  add({ method, path, made }: SentRequest): MadeRecord | undefined {
    if (made === undefined) return undefined
    const request = `${method} ${addressOf({ path })}`
    const kind = creations.find(([, pattern]) => pattern.test(request))?.[0]
    if (kind === undefined || (kind === 'PIPELINE' ? made.uuid : made.id) === undefined) return undefined
    const count = (this.#counts[kind] ?? 0) + 1
    this.#counts[kind] = count
    const name = `${kind}_${count}`
    if (kind !== 'PIPELINE') this.#byId.set(`${collections[kind]}/${made.id}`, name)
    else if (made.uuid !== undefined) this.#byText.set(made.uuid, name)
    if (made.token !== undefined) this.#byText.set(made.token, `TOKEN_${name}`)
    return { kind, name, hasToken: made.token !== undefined }
  }

  /** Replaces the records of earlier steps and the name of the run in a text by variables. */
  replaceIn(text: string): string {
    const named = [...this.#byText].filter(([value]) => text.includes(value))
    const longestFirst = named.sort(([one], [other]) => other.length - one.length)
    let result = text.replaceAll(new RegExp(recordWithId, 'g'), (whole, collection: string) => {
      const name = this.#byId.get(whole)
      return name === undefined ? whole : `${collection}/${variable(name)}`
    })
    for (const [value, name] of longestFirst) result = result.replaceAll(value, variable(name))
    return this.#run === undefined ? result : result.replaceAll(this.#run, variable('RUN'))
  }
}
