import * as z from 'zod/mini'
import type { AssumptionSwitches } from '../assumptions/switches.ts'
import type { StoredNames } from '../resources/names.ts'
import type { AttributeOf, Plural, RecordOf } from '../resources/records.ts'
import type {
  ActionContext,
  Derive,
  DerivedAttribute,
  Operation,
  Presented,
  QueryParameter,
  Resource,
  Route,
  WireRecord,
} from '../resources/resource.ts'
import type {
  OperationId,
  ParametersBy,
  ParametersOf,
  PluralOf,
  PresentedOf,
  WrittenBy,
  WrittenOf,
} from '../resources/table-types.ts'
import type { CredentialSource } from '../shared/credentials.ts'
import type { ApiError } from '../shared/errors.ts'
import type { TimestampFormat } from '../shared/timestamps.ts'
import { answerError, type ErrorDeviation } from './error-answers.ts'

/** Function that writes an attribute of a record as JSON. */
export type DeriveOf<P extends Plural> = NonNullable<DerivedAttribute<StoredNames<P>>['derive']>

/** Attributes that a request writes: those with a type in the resource table, and others that the profile accepts. */
export type RequestedAttributes<P extends Plural> = {
  readonly [A in AttributeOf<P> | WrittenOf<P>]?: A extends AttributeOf<P> ? RecordOf<P>[A] | null : unknown
}

/** Part of a request that a server may interpret differently. */
export type RequestedAction<P extends Plural> = Pick<ActionContext, 'model' | 'parent' | 'user'> & {
  readonly attributes: RequestedAttributes<P>
  readonly query: { readonly [Name in ParametersOf<P>]?: ActionContext['query'][string] }
  readonly record: RecordOf<P> | undefined
}

export type Constant =
  | string
  | number
  | boolean
  | null
  | readonly Constant[]
  | { readonly [name: string]: Constant }

/** Additional attributes of a server: each a constant, or computed from a record of the resource. */
export type Additions<P extends Plural> = Readonly<Record<string, Constant | DeriveOf<P>>>

/** Differences in the replies of a resource. */
export interface ResourceDeviation<P extends Plural = Plural> {
  /** Additional attributes of every reply: a constant, or computed from the record. */
  readonly adds?: Additions<P>
  /** Additional attributes of the replies whose operation adds them. */
  readonly knows?: Additions<P>
  /** Attributes of a nested record in a reply. */
  readonly presentsWithin?: readonly string[]
  /** Attributes with a different presentation. */
  readonly computes?: { readonly [A in PresentedOf<P>]?: DeriveOf<P> }
  /** Attributes with values that the specification does not list. */
  readonly attributes?: { readonly [A in AttributeOf<P>]?: z.ZodMiniType }
  readonly formats?: { readonly [A in AttributeOf<P>]?: TimestampFormat }
  readonly observed: string
}

/** Differences in an operation. */
export interface OperationDeviation<
  P extends Plural = Plural,
  Written = WireRecord,
  Parameter extends string = string,
> {
  readonly presents?: readonly PresentedOf<P>[]
  readonly parameters?: readonly QueryParameter<StoredNames<P>>[]
  /** Query parameters of the specification that do nothing. */
  readonly withoutParameters?: readonly Parameter[]
  /** Additional attributes that a client may write. */
  readonly writes?: { readonly [A in AttributeOf<P>]?: z.ZodMiniType }
  readonly routes?: readonly Route[]
  /** Methods of the operation that the server does not support. */
  readonly without?: readonly Route['method'][]
  /** Attributes that the server ignores in requests. */
  readonly ignores?: readonly (keyof Written & string)[]
  /** Changes the attributes that a client writes, after the policy has accepted them. */
  readonly narrows?: (
    attributes: RequestedAttributes<P>,
    action: RequestedAction<P>,
  ) => RequestedAttributes<P>
  /** Returns the error for a request that the specification accepts and the server rejects without writing. */
  readonly refuses?: (action: RequestedAction<P>) => ApiError | undefined
  /** Returns the error that replaces the record in the reply although the action has run. */
  readonly fails?: (action: RequestedAction<P>) => ApiError | undefined
  /** Attributes that the replies of this operation lack. */
  readonly lacks?: readonly string[]
  /** Additional attributes in the replies of this operation. */
  readonly adds?: Additions<P>
  readonly observed: string
}

/** Behavior of one real server, as data and a function that applies it. A page without a profile loads neither. */
export interface Profile extends Deviations {
  /** Converts the resources of the specification to those of the server. */
  readonly apply: typeof applyProfile
  /** Determines the response to an error. */
  readonly answerError: typeof answerError
}

/** Deviations of a server from the specification. Every line names the exchange that shows it. */
export interface Deviations {
  readonly name: string
  /** Reads the API key of a request. Default: every location in the specification. */
  readonly readApiKey?: (request: CredentialSource & { readonly method: string }) => unknown
  readonly switches: AssumptionSwitches
  readonly errors: readonly ErrorDeviation[]
  readonly resources: { readonly [P in Plural]?: ResourceDeviation<P> }
  readonly operations: {
    readonly [Id in OperationId]?: OperationDeviation<PluralOf<Id>, WrittenBy<Id>, ParametersBy<Id>>
  }
}

type NamesIn<Line, Column extends 'adds' | 'knows'> = Line extends { readonly [C in Column]?: infer Added }
  ? keyof Added & string
  : never

type Resources = Deviations['resources']

/** Attributes that a server can present: those of the resource table and those that its profile adds. */
type ShownOf<R extends Resources, P extends Plural> =
  | PresentedOf<P>
  | NamesIn<R[P], 'adds'>
  | NamesIn<R[P], 'knows'>

/** The columns whose names depend on other parts of the profile, and the names of its operations. */
interface Fitting<R extends Resources, O extends Deviations['operations']> {
  readonly resources: {
    readonly [P in keyof R]: P extends Plural
      ? { readonly presentsWithin?: readonly ShownOf<R, P>[] }
      : { readonly unknownResource: P }
  }
  readonly operations: {
    readonly [Id in keyof O]: Id extends OperationId
      ? { readonly lacks?: readonly (ShownOf<R, PluralOf<Id>> | NamesIn<O[Id], 'adds'>)[] }
      : { readonly unknownOperation: Id }
  }
}

/**
 * Defines the behavior of a real server that differs from the specification.
 *
 * @example
 * const mine = defineProfile({ ...mageAi0979, name: 'mine', switches: { ...mageAi0979.switches, 'list-count': 'items' } })
 */
export function defineProfile<const R extends Resources, const O extends Deviations['operations']>(
  deviations: Deviations & { readonly resources: R; readonly operations: O } & Fitting<R, O>,
): Profile {
  return { ...deviations, apply: applyProfile, answerError }
}

/** Schema of an attribute without documentation. */
const undocumented = z.unknown()

/** A deviation, as generic code reads it. */
type AnyResourceDeviation = Omit<ResourceDeviation, 'computes' | 'attributes' | 'formats'> & {
  readonly computes?: Readonly<Record<string, Derive>>
  readonly attributes?: z.core.$ZodShape
  readonly formats?: Readonly<Record<string, TimestampFormat>>
}

/** Deviation of a resource or an operation that follows the specification. */
const asSpecified = { observed: '' }

/** Applies the deviations of a server to the table of resources. */
function applyProfile(resources: readonly Resource[], profile: Deviations): readonly Resource[] {
  const ofResources: Readonly<Record<string, AnyResourceDeviation | undefined>> = profile.resources
  const ofOperations = profile.operations as Readonly<Record<string, OperationDeviation | undefined>>
  return resources.map((resource) => {
    const own: AnyResourceDeviation = ofResources[resource.plural] ?? asSpecified
    const operations = resource.operations.map((operation) =>
      changeOperation(operation, ofOperations[operation.id] ?? asSpecified, resource.presents, own.adds),
    )
    const added = resource.operations.map(({ id }) => ofOperations[id]?.adds)
    return {
      ...resource,
      presents: withMore(resource.presents, own.adds),
      ...(own.presentsWithin && { presentsWithin: own.presentsWithin }),
      ...(own.attributes && { attributes: z.extend(resource.attributes, own.attributes) }),
      derived: deriveMore(resource, own, Object.assign({}, own.adds, ...added, own.knows)),
      formats: { ...resource.formats, ...own.formats },
      operations,
    }
  })
}

/** Returns the computed attributes of a resource, with those that a server adds or computes differently. */
function deriveMore(
  { derived = {}, attributes }: Resource,
  { computes }: AnyResourceDeviation,
  added: Readonly<Record<string, unknown>>,
): Record<string, DerivedAttribute> {
  const all: Record<string, DerivedAttribute> = { ...derived }
  const schemaOf = (name: string) => derived[name]?.is ?? attributes.shape[name] ?? undocumented
  for (const [name, value] of Object.entries({ ...added, ...computes })) {
    const derive = typeof value === 'function' ? (value as Derive) : () => JSON.stringify(value)
    all[name] = { is: schemaOf(name), derive }
  }
  return all
}

function changeOperation(
  operation: Operation,
  deviation: OperationDeviation,
  inherited: Presented,
  addsToAll: Readonly<Record<string, unknown>> | undefined,
): Operation {
  const { parameters = [], withoutParameters = [], routes = [], without = [] } = deviation
  const { lacks = [], narrows, refuses, fails } = deviation
  const presents = withMore(deviation.presents ?? operation.presents ?? inherited, {
    ...addsToAll,
    ...deviation.adds,
  })
  return {
    ...operation,
    presents: presents === 'all' ? presents : presents.filter((attribute) => !lacks.includes(attribute)),
    ...(operation.writes && { writes: changePolicy(operation.writes, deviation) }),
    // The definition has checked the type of the function by its resource.
    ...({ ...(narrows && { narrows }), ...(refuses && { refuses }), ...(fails && { fails }) } as Pick<
      Operation,
      'narrows' | 'refuses' | 'fails'
    >),
    parameters: [
      ...(operation.parameters ?? []).filter(({ name }) => !withoutParameters.includes(name)),
      ...parameters,
    ],
    routes: [...operation.routes.filter(({ method }) => !without.includes(method)), ...routes],
  }
}

function changePolicy(
  { shape }: z.ZodMiniObject,
  { ignores = [], writes }: OperationDeviation,
): z.ZodMiniObject {
  const compared = Object.entries(shape).filter(([name]) => !ignores.includes(name))
  return z.object({ ...Object.fromEntries(compared), ...writes })
}

function withMore(presents: Presented, adds: Readonly<Record<string, unknown>> = {}): Presented {
  return presents === 'all' ? presents : [...new Set([...presents, ...Object.keys(adds)])]
}
