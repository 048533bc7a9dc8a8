import type * as z from 'zod'
import type { AssumptionSwitches } from '../assumptions/switches.ts'
import type {
  Derived,
  Operation,
  Presented,
  QueryParameter,
  Resource,
  Route,
} from '../resources/define-resource.ts'
import type { ApiError, ErrorType } from '../wire/errors.ts'
import type { TimestampFormat } from '../wire/timestamps.ts'

/** How a server's error differs; the first line that fits is taken. */
export interface ErrorDeviation {
  /** The error the document's reading gives, narrowed by the missing record or the operation. */
  readonly when: { readonly type: ErrorType; readonly missing?: string; readonly operation?: string }
  readonly httpStatus?: number
  /** Answers without a body. */
  readonly isEmpty?: boolean
  readonly code?: number
  readonly type?: string
  /** `{value}` and `{parent}` stand for the key that was not found and the parent in the path. */
  readonly message?: string
  /** An error without a type and without the outer `status`: clients read this member instead. */
  readonly exception?: string
  /** The label of the recorded exchange that shows it. */
  readonly observed: string
}

/** How a resource's replies differ. */
export interface ResourceDeviation {
  /** Attributes that every reply carries besides: a constant, or computed from the record. */
  readonly adds?: Readonly<Record<string, unknown>>
  /** Attributes that are presented otherwise. */
  readonly computes?: Readonly<Record<string, Derived>>
  /** Attributes that hold what the document does not list. */
  readonly attributes?: z.ZodRawShape
  readonly formats?: Readonly<Record<string, TimestampFormat>>
  readonly observed: string
}

/** How an operation differs. */
export interface OperationDeviation {
  readonly presents?: Presented
  readonly parameters?: readonly QueryParameter[]
  /** Attributes that a client may write besides. */
  readonly writes?: z.ZodRawShape
  readonly routes?: readonly Route[]
  /** Methods that do not reach it. */
  readonly without?: readonly Route['method'][]
  /** Attributes that are ignored when a client writes them. */
  readonly ignores?: readonly string[]
  readonly narrows?: Operation['narrows']
  /** Attributes that the replies of this operation carry besides. */
  readonly adds?: Readonly<Record<string, unknown>>
  readonly observed: string
}

/** The ways of one real server, as data over the table; every line names the exchange that shows it. */
export interface Profile {
  readonly name: string
  readonly switches: AssumptionSwitches
  readonly errors: readonly ErrorDeviation[]
  readonly resources: Readonly<Record<string, ResourceDeviation>>
  readonly operations: Readonly<Record<string, OperationDeviation>>
}

/** Applies a profile to the table of resources. */
export function applyProfile(resources: readonly Resource[], profile: Profile): readonly Resource[] {
  return resources.map((resource) => {
    const own = profile.resources[resource.singular]
    const operations = resource.operations.map((operation) => profile.operations[operation.id])
    const added = Object.assign({}, own?.adds, ...operations.map((deviation) => deviation?.adds)) as Record<
      string,
      unknown
    >
    const derived = Object.fromEntries(Object.entries(added).map(([name, value]) => [name, toDerived(value)]))
    return {
      ...resource,
      presents: withMore(resource.presents, own?.adds),
      ...(own?.attributes ? { attributes: resource.attributes.extend(own.attributes) } : {}),
      derived: { ...resource.derived, ...derived, ...own?.computes },
      formats: { ...resource.formats, ...own?.formats },
      operations: resource.operations.map((operation) =>
        changeOperation(operation, profile.operations[operation.id], resource.presents, own?.adds),
      ),
    }
  })
}

function changeOperation(
  operation: Operation,
  deviation: OperationDeviation | undefined,
  inherited: Presented,
  adds: Readonly<Record<string, unknown>> | undefined,
): Operation {
  const presents = deviation?.presents ?? operation.presents ?? inherited
  return {
    ...operation,
    presents: withMore(presents, { ...adds, ...deviation?.adds }),
    ...(operation.writes ? { writes: changePolicy(operation.writes, deviation) } : {}),
    ...(deviation?.narrows ? { narrows: deviation.narrows } : {}),
    parameters: [...(operation.parameters ?? []), ...(deviation?.parameters ?? [])],
    routes: [
      ...operation.routes.filter(({ method }) => !deviation?.without?.includes(method)),
      ...(deviation?.routes ?? []),
    ],
  }
}

function changePolicy(writes: z.ZodObject, deviation: OperationDeviation | undefined): z.ZodObject {
  const ignored = Object.fromEntries((deviation?.ignores ?? []).map((name) => [name, true as const]))
  return writes.omit(ignored as never).extend(deviation?.writes ?? {})
}

function withMore(presents: Presented, adds: Readonly<Record<string, unknown>> | undefined): Presented {
  return presents === 'all' ? presents : [...new Set([...presents, ...Object.keys(adds ?? {})])]
}

function toDerived(value: unknown): Derived {
  return typeof value === 'function' ? (value as Derived) : () => JSON.stringify(value)
}

/** The line of a profile that fits an error. */
export function findDeviation(
  profile: Profile | undefined,
  error: ApiError,
  operation: string | undefined,
): ErrorDeviation | undefined {
  return profile?.errors.find(
    ({ when }) =>
      when.type === error.type &&
      (when.missing === undefined || when.missing === error.missing?.singular) &&
      (when.operation === undefined || when.operation === operation),
  )
}
