import type * as backfills from './backfill/presenter.ts'
import type * as logs from './log/presenter.ts'
import type { StoredNames } from './names.ts'
import type * as pipelines from './pipeline/presenter.ts'
import type * as pipeline_schedules from './pipeline-schedule/presenter.ts'
import type { AttributeOf, Plural } from './records.ts'

/** The modules that compute attributes of resources, by plural. */
interface Presenters {
  pipelines: typeof pipelines
  pipeline_schedules: typeof pipeline_schedules
  backfills: typeof backfills
  logs: typeof logs
}

/** The column of the derived attributes, if the resource has any. */
export type DerivedColumn<P extends Plural> = P extends keyof Presenters
  ? Pick<Presenters[P], 'derived'>
  : { readonly derived?: never }
/** The derived attributes of a resource. */
export type DerivedOf<P extends Plural> = P extends keyof Presenters ? Presenters[P]['derived'] : unknown

/** The names of a resource, with those that its presenter computes. */
export interface NamesOf<P extends Plural> extends StoredNames<P> {
  readonly presentable: AttributeOf<P> | (keyof DerivedOf<P> & string)
}
