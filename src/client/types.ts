import type * as z from 'zod/mini'
import type { Understudy } from '../engine/create-understudy.ts'
import type { World } from '../engine/worlds/world.ts'
import type { Table } from '../factories/table.ts'
import type { Factories, Tables } from '../factories/tables.ts'

/** The same members, each reply a promise. */
export type Remote<Local> = {
  readonly [Name in keyof Local]: Local[Name] extends (...args: infer Given) => infer Reply
    ? (...args: Given) => Promise<Awaited<Reply>>
    : Promise<Local[Name]>
}

/** The same members, each reply there at once or a promise of it: `await` takes both. */
export type Either<Local> = {
  readonly [Name in keyof Local]: Local[Name] extends (...args: infer Given) => infer Reply
    ? (...args: Given) => Awaited<Reply> | Promise<Awaited<Reply>>
    : Awaited<Local[Name]> | Promise<Awaited<Local[Name]>>
}

/** A record as a collection gives it. */
type Kept<Schema extends z.ZodMiniObject> = Awaited<ReturnType<Table<Schema>['create']>>
type Predicate<Schema extends z.ZodMiniObject> = NonNullable<Parameters<Table<Schema>['findMany']>[0]>
/** A query, or a record. */
type Target<Schema extends z.ZodMiniObject> = Parameters<Table<Schema>['delete']>[0]
type Change<Schema extends z.ZodMiniObject> = Pick<Parameters<Table<Schema>['updateMany']>[1], 'data'>
type SchemaOf<Collection> = Collection extends Table<infer Schema> ? Schema : never

/** A collection that is elsewhere: queries run here, over the records that it has there. */
export interface RemoteTable<Schema extends z.ZodMiniObject = z.ZodMiniObject> {
  findFirst<Strict extends boolean = false>(
    predicate?: Predicate<Schema>,
    options?: { readonly strict?: Strict },
  ): Promise<Strict extends true ? Kept<Schema> : Kept<Schema> | undefined>
  findMany(
    predicate?: Predicate<Schema>,
    options?: Parameters<Table<Schema>['findMany']>[1],
  ): Promise<Kept<Schema>[]>
  count(): Promise<number>
  all(): Promise<Kept<Schema>[]>
  create(values: z.input<Schema>): Promise<Kept<Schema>>
  createMany(count: number, values: (index: number) => z.input<Schema>): Promise<Kept<Schema>[]>
  /** Changes the first record that matches; `data` runs here, and only what it changed is sent. */
  update<Strict extends boolean = false>(
    predicate: Target<Schema>,
    options: Change<Schema> & { readonly strict?: Strict },
  ): Promise<Strict extends true ? Kept<Schema> : Kept<Schema> | undefined>
  updateMany(
    predicate: Predicate<Schema>,
    options: Change<Schema> & { readonly strict?: boolean },
  ): Promise<Kept<Schema>[]>
  delete<Strict extends boolean = false>(
    predicate: Target<Schema>,
    options?: { readonly strict?: Strict },
  ): Promise<Strict extends true ? Kept<Schema> : Kept<Schema> | undefined>
  deleteMany(predicate: Predicate<Schema>, options?: { readonly strict?: boolean }): Promise<Kept<Schema>[]>
  clear(): Promise<void>
}

/** The collections, by plural. */
export type RemoteTables = { readonly [Plural in keyof Tables]: RemoteTable<SchemaOf<Tables[Plural]>> }

/** What a world does by itself. */
type Own = Pick<
  World,
  'apiKeys' | 'reset' | 'snapshot' | 'restore' | 'snapshots' | 'export' | 'import' | 'rawToken'
>
/** The parts of a world that carry over member by member. */
type Part = 'clock' | 'runs' | 'faults' | 'journal' | 'assumptions'
type Worlds = Understudy['worlds']

/** A world that is elsewhere: the names of `World`, each reply a promise. */
export interface RemoteWorld
  extends Remote<Own>,
    Readonly<{ [Name in Part]: Remote<Pick<World[Name], keyof World[Name]>> }> {
  readonly name: string
  readonly model: RemoteTables
  readonly factories: Factories
  /**
   * Asks the API itself, as a client of this world.
   *
   * @example
   * await client.world('a').fetch('/api/pipelines')
   */
  fetch(input: string | Request, init?: RequestInit): Promise<Response>
}

/** An understudy that is elsewhere. */
export interface RemoteUnderstudy extends RemoteWorld {
  readonly auth: Promise<Understudy['auth']>
  world(name: string): RemoteWorld
  readonly worlds: Omit<Remote<Worlds>, 'create'> & {
    create(...given: Parameters<Worlds['create']>): Promise<RemoteWorld>
  }
  /** Ends what this client follows; the server and its state stay. */
  dispose(): Promise<void>
}

/** What `World` and `RemoteWorld` have in common. */
export interface WorldControls
  extends Either<Own>,
    Readonly<{ [Name in Part]: Either<Pick<World[Name], keyof World[Name]>> }> {
  readonly name: string
  readonly model: { readonly [Plural in keyof Tables]: Either<RemoteTables[Plural]> }
  readonly factories: Factories
}

/**
 * What `Understudy` and `RemoteUnderstudy` have in common: a test that is written against it runs with both.
 *
 * @example
 * const test = async (understudy: Controls) => { await understudy.clock.advance('5s') }
 */
export interface Controls extends WorldControls {
  readonly auth: Understudy['auth'] | Promise<Understudy['auth']>
  world(name: string): WorldControls
  readonly worlds: Omit<Either<Worlds>, 'create'> & {
    create(...given: Parameters<Worlds['create']>): WorldControls | Promise<WorldControls>
  }
  fetch(request: Request): Promise<Response>
  dispose(): void | Promise<void>
}
