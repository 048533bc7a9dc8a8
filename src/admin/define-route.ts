import type * as z from 'zod'
import type { Understudy } from '../engine/create-understudy.ts'
import type { World } from '../engine/worlds/world.ts'
import type { PathParameter } from '../resources/define-operation.ts'
import { required } from '../shared/values.ts'
import { nothing } from './schemas.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type AdminMethod = (typeof methods)[number]

/** Input of a route after validation; the world exists. */
export interface AdminInput<Body = unknown, Query = unknown, Parameter extends string = string> {
  readonly parameters: Readonly<Record<Parameter, string>>
  readonly query: Query
  readonly body: Body
  /** The last event that a client of a stream has seen. */
  readonly lastEventId: number | undefined
}

export interface AdminListener {
  write(text: string): void
  /** Resolves when the client has received the data or left. */
  ready(): Promise<void>
  end(): void
}

/** Sends events until it calls `end` or the returned function stops it. */
export type AdminStream = (listener: AdminListener) => () => void

/** A method and path of the admin API: a row of the table that router, document and checks derive from. */
export interface AdminRoute<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  Path extends string = string,
> {
  readonly id: string
  readonly method: AdminMethod
  /** Path below the base path, with parameters such as `:name`. */
  readonly path: Path
  readonly summary: string
  readonly description?: string
  readonly body?: Body
  /** True if its body may be as large as an exported state. */
  readonly isLarge?: boolean
  readonly query?: Query
  readonly reply: {
    readonly status: 200 | 201 | 204
    readonly description: string
    readonly schema?: z.ZodType
    readonly type?: 'text/event-stream'
  }
  /** Path in the body of the value that the model's errors refer to. Default: the body itself. */
  readonly root?: string
  /** Answers the request: returns the JSON of the reply, a stream of events, or a promise of either. */
  handle(
    understudy: Understudy,
    world: World,
    input: AdminInput<z.output<Body>, z.output<Query>, ParameterAt<Path>>,
  ): unknown
}

/** The names that parameters in a path may have; `world` selects the world that `handle` receives. */
type ParameterName = 'world' | 'plural' | 'singular' | 'key' | 'attribute' | 'id' | 'name'

/** The names of the parameters in a path; any name where the path is not known. */
type ParameterAt<Path extends string> = string extends Path ? string : PathParameter<Path>

/** Rejects a path with a parameter that no route knows: a misspelt `:world` would select the world `main`. */
type KnownParameters<Path extends string> = [Exclude<PathParameter<Path>, ParameterName>] extends [never]
  ? unknown
  : { readonly route: { readonly unknownParameter: Exclude<PathParameter<Path>, ParameterName> } }

type RouteRow<Body extends z.ZodType, Query extends z.ZodObject, Path extends string> = Omit<
  AdminRoute<Body, Query, Path>,
  'method' | 'path' | 'reply'
> & {
  /** Method and path, such as `GET /worlds/:world`. */
  readonly route: `${AdminMethod} ${Path}`
  /** Default: a response for success without a body. */
  readonly reply?: AdminRoute['reply']
}

/** Defines a route, its input typed by its schemas and its path. A write without a schema takes no body. */
export function defineRoute<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodObject = z.ZodObject,
  const Path extends string = string,
>(given: RouteRow<Body, Query, Path> & KnownParameters<Path>): AdminRoute {
  const { route, reply = done, ...row }: RouteRow<Body, Query, Path> = given
  const method = required(
    methods.find((each) => route.startsWith(`${each} `)),
    'the method of a route',
  )
  const isWrite = method !== 'GET' && method !== 'DELETE'
  return { ...(isWrite && { body: nothing }), ...row, method, path: route.slice(method.length + 1), reply }
}

const done = { status: 204, description: 'Done.' } as const
