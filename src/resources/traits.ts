import { traits as backfills } from './backfill/traits.ts'
import { traits as blocks } from './block/traits.ts'
import type { Traits } from './names.ts'
import { traits as oauth_access_tokens } from './oauth-access-token/traits.ts'
import { traits as pipelines } from './pipeline/traits.ts'
import { traits as pipeline_runs } from './pipeline-run/traits.ts'
import { traits as pipeline_schedules } from './pipeline-schedule/traits.ts'
import type { Plural } from './records.ts'
import type { Trait } from './resource.ts'

const table = {
  oauth_access_tokens,
  pipelines,
  blocks,
  pipeline_schedules,
  backfills,
  pipeline_runs,
} satisfies { readonly [P in Plural]?: Traits<P> }

/** The names of a resource's traits. */
export type TraitName<P extends Plural> = P extends keyof typeof table
  ? keyof (typeof table)[P] & string
  : never

const traits: Readonly<Record<string, Readonly<Record<string, Trait>>>> = table

/** The named variations of a resource's records, for factories. Loaded on demand: mocked pages do not need them. */
export function traitsOf({ plural }: { readonly plural: string }): Readonly<Record<string, Trait>> {
  return traits[plural] ?? {}
}
