import type { Understudy } from '../../engine/create-understudy.ts'
import type { World } from '../../engine/worlds/world.ts'
import type { Collection } from '../../factories/collection-types.ts'
import type { Factories, Tables } from '../../factories/tables.ts'
import type { RecordOf, StoredPlural, ValuesOf } from '../../resources/records.ts'

/** The same members, each returning a promise. */
export type Remote<Local> = {
  readonly [Name in keyof Local]: Local[Name] extends (...args: infer Given) => infer Reply
    ? (...args: Given) => Promise<Awaited<Reply>>
    : Promise<Local[Name]>
}

/** The same members, each returning a value or a promise. `await` accepts both. */
export type Either<Local> = {
  readonly [Name in keyof Local]: Local[Name] extends (...args: infer Given) => infer Reply
    ? (...args: Given) => Awaited<Reply> | Promise<Awaited<Reply>>
    : Awaited<Local[Name]> | Promise<Awaited<Local[Name]>>
}

/** A collection in another process. It loads the records and runs queries here. */
export type RemoteTable<Values, Stored> = Collection<Values, Stored, 'later'>

export type RemoteTables = { readonly [P in StoredPlural]: RemoteTable<ValuesOf<P>, RecordOf<P>> }

/** The parts of a world whose members all have a remote form. */
type Part = 'clock' | 'runs' | 'logs' | 'scenarios' | 'faults' | 'journal' | 'changes' | 'assumptions'
/** Members of a world without a remote form, or with one of their own. */
type Local = 'name' | 'model' | 'factories' | 'endpoints' | 'dispatch' | 'fetch'
type Own = Omit<World, Part | Local>
type WorldList = Understudy['worlds']

/** A world in another process: the members of `World`, each returning a promise. */
export interface RemoteWorld
  extends Remote<Own>,
    Readonly<{ [Name in Part]: Remote<Pick<World[Name], keyof World[Name]>> }> {
  readonly name: string
  readonly model: RemoteTables
  readonly factories: Factories
  /**
   * Sends a request to the API, as a client of this world.
   *
   * @example
   * await client.world('a').fetch('/api/pipelines')
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** A mock server in another process. */
export interface RemoteUnderstudy extends RemoteWorld {
  readonly auth: Promise<Understudy['auth']>
  world(name: string): RemoteWorld
  readonly worlds: Omit<Remote<WorldList>, 'create'> & {
    create(...given: Parameters<WorldList['create']>): Promise<RemoteWorld>
  }
  /** Ends the subscriptions of this client. The server and its state remain. */
  dispose(): Promise<void>
}

/** Members that `World` and `RemoteWorld` share. */
export interface WorldControls
  extends Either<Own>,
    Readonly<{ [Name in Part]: Either<Pick<World[Name], keyof World[Name]>> }> {
  readonly name: string
  readonly model: { readonly [Plural in keyof Tables]: Either<RemoteTables[Plural]> }
  readonly factories: Factories
}

/**
 * Members that `Understudy` and `RemoteUnderstudy` share. A test that uses only these runs with both.
 *
 * @example
 * const test = async (understudy: Controls) => { await understudy.clock.advance('5s') }
 */
export interface Controls extends WorldControls {
  readonly auth: Understudy['auth'] | Promise<Understudy['auth']>
  world(name: string): WorldControls
  readonly worlds: Omit<Either<WorldList>, 'create'> & {
    create(...given: Parameters<WorldList['create']>): WorldControls | Promise<WorldControls>
  }
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  dispose(): void | Promise<void>
}
