import type { Change, Model } from '../factories/model.ts'
import type { Row } from '../factories/rows.ts'
import type { ActionContext, WireRecord } from '../resources/define-resource.ts'
import { type CredentialSource, readBearer } from '../wire/credentials.ts'
import type { Timestamp } from '../wire/timestamps.ts'
import { readBody } from './body.ts'
import { splitUrl, type UnderstudyRequest } from './messages.ts'
import type { Query } from './policy.ts'
import type { Match } from './router.ts'
import type { WorldInstance } from './worlds/world-instance.ts'

const noHeaders: CredentialSource['headers'] = {}
const noParameters: ActionContext['parameters'] = {}
const nothing: WireRecord = {}
const unmatched: Match = { kind: 'nothing' }

/**
 * A request on its way: what is read of it, and what each step finds out, for the steps after it. Every member exists
 * from the beginning, so that all requests have one shape; query text and body are read when first asked for, once.
 */
export class RequestContext implements ActionContext, CredentialSource {
  readonly request: UnderstudyRequest
  readonly method: string
  readonly path: string
  /** The query text, without its question mark. */
  readonly search: string
  readonly headers: CredentialSource['headers']
  /** The world that answers; the main one until another is chosen. */
  world: WorldInstance
  /** The records that are acted on: the world's, or those of an earlier moment (`stale` faults). */
  model: Model
  /** Where the path leads in that world. */
  match: Match = unmatched
  /** Whose token the request presents. */
  user: WireRecord | undefined = undefined
  /** The record that the path nests under, the attribute of its children that holds its key, and that key. */
  parent: WireRecord | undefined = undefined
  parentAttribute: string | undefined = undefined
  parentKey: unknown = undefined
  /** The record that the path names, and its row. */
  record: WireRecord | undefined = undefined
  row: Row | undefined = undefined
  /** The query parameters of the operation, and what the body writes, both held against the policy. */
  query: Query = nothing as Query
  attributes: WireRecord = nothing
  /** What is written, noted where the journal is kept. */
  changes: Change[] | undefined = undefined
  /** Makes the body of the reply once more, where that is cheaper to keep than its text. */
  rebuildBody: (() => string) | undefined = undefined
  #searchParams: URLSearchParams | undefined = undefined
  #now: Timestamp | undefined = undefined
  /** The body, or what is wrong with it, and whether its content type was checked: worlds differ in that. */
  #body: { readonly checked: string; readonly value?: unknown; readonly error?: unknown } | undefined =
    undefined

  constructor(request: UnderstudyRequest, main: WorldInstance) {
    const { path, search } = splitUrl(request.url)
    this.request = request
    this.method = request.method
    this.path = path
    this.search = search
    this.headers = request.headers ?? noHeaders
    this.world = main
    this.model = main.model
  }

  /** Goes to the world that is asked, where the path is matched: once, for all that follows. */
  enter(world: WorldInstance): void {
    this.world = world
    this.model = world.model
    this.match = world.router.match(this.method, this.path)
  }

  /** What the path says in the places of its parameters. */
  get parameters(): ActionContext['parameters'] {
    return this.match.kind === 'endpoint' ? this.match.parameters : noParameters
  }

  get now(): Timestamp {
    this.#now ??= this.model.now()
    return this.#now
  }

  get bearer(): string | undefined {
    return readBearer(this)
  }

  /** Every query parameter; `undefined` where there is none. */
  get searchParams(): URLSearchParams | undefined {
    if (this.search === '') return undefined
    this.#searchParams ??= new URLSearchParams(this.search)
    return this.#searchParams
  }

  /**
   * The JSON body; `undefined` where there is none.
   *
   * @throws ApiError where it cannot be read.
   */
  get body(): unknown {
    const { switches } = this.world
    if (this.#body?.checked !== switches['content-type']) {
      const checked = switches['content-type']
      try {
        this.#body = { checked, value: readBody(this.request, switches) }
      } catch (error) {
        this.#body = { checked, error }
      }
    }
    if (this.#body?.error !== undefined) throw this.#body.error
    return this.#body?.value
  }

  bodyMember(name: string): unknown {
    if (this.request.body === undefined) return undefined
    try {
      const { body } = this
      return typeof body === 'object' && body !== null ? (body as WireRecord)[name] : undefined
    } catch {
      // A body that cannot be read carries nothing; what is wrong with it is said by the policy.
      return undefined
    }
  }
}
