import type * as z from 'zod'
import type { Factory } from '../factories/factory.ts'
import type { Table } from '../factories/table.ts'
import type { traits } from '../factories/traits.ts'
import type {
  backfill,
  block,
  log,
  oauthAccessToken,
  pipeline,
  pipelineRun,
  pipelineSchedule,
  user,
} from '../resources/index.ts'

interface BySingular {
  user: typeof user
  oauthAccessToken: typeof oauthAccessToken
  pipeline: typeof pipeline
  block: typeof block
  pipelineSchedule: typeof pipelineSchedule
  backfill: typeof backfill
  pipelineRun: typeof pipelineRun
  log: typeof log
}
interface TraitsBySingular {
  user: typeof traits.user
  oauthAccessToken: typeof traits.oauth_access_token
  pipeline: typeof traits.pipeline
  block: typeof traits.block
  pipelineSchedule: typeof traits.pipeline_schedule
  backfill: typeof traits.backfill
  pipelineRun: typeof traits.pipeline_run
  log: typeof traits.log
}
type Attributes<Name extends keyof BySingular> = BySingular[Name]['attributes']

/** The factories, by singular in camel case. */
export type Factories = {
  readonly [Name in keyof BySingular]: Factory<
    Partial<z.input<Attributes<Name>>>,
    Readonly<z.output<Attributes<Name>>>,
    keyof TraitsBySingular[Name] & string
  >
}

/** The collections, by plural; resources that a fixture added are there too, as collections of any attributes. */
export interface Tables {
  readonly users: Table<Attributes<'user'>>
  readonly oauth_access_tokens: Table<Attributes<'oauthAccessToken'>>
  readonly pipelines: Table<Attributes<'pipeline'>>
  readonly blocks: Table<Attributes<'block'>>
  readonly pipeline_schedules: Table<Attributes<'pipelineSchedule'>>
  readonly backfills: Table<Attributes<'backfill'>>
  readonly pipeline_runs: Table<Attributes<'pipelineRun'>>
  readonly logs: Table<Attributes<'log'>>
}
