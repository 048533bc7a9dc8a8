import type { NotedChanges } from '../factories/change.ts'
import type { Model } from '../factories/model.ts'
import type { Row } from '../factories/store.ts'
import type { ActionContext, WireRecord } from '../resources/resource.ts'
import { type CredentialSource, readBearer } from '../shared/credentials.ts'
import { routedMethod, splitUrl } from '../shared/http.ts'
import { realTime } from '../shared/real-time.ts'
import type { Timestamp } from '../shared/timestamps.ts'
import { isObject } from '../shared/values.ts'
import { readBody } from './body.ts'
import type { UnderstudyRequest } from './messages.ts'
import type { Match } from './router.ts'
import type { WorldInstance } from './worlds/world-instance.ts'

/** Query parameters of an operation by name; repeatable ones such as `tag[]` have a list. */
export type Query = ActionContext['query']

const noHeaders: CredentialSource['headers'] = {}
const noParameters: ActionContext['parameters'] = {}
const noQuery: Query = {}
const noAttributes: WireRecord = {}
const unmatched: Match = { kind: 'nothing' }

/** State of a request on its way through the steps. Parses query and body once, on demand. */
export class RequestContext implements ActionContext, CredentialSource {
  readonly request: UnderstudyRequest
  readonly method: string
  readonly path: string
  /** The query text, without its question mark. */
  readonly search: string
  readonly headers: CredentialSource['headers']
  readonly hasBody: boolean
  /** World that answers; `main` until the request selects another one. */
  world: WorldInstance
  /** True if the world does not exist yet and only decides whether it would authorize the request. */
  isTentative = false
  model: Model
  /** Endpoint of the path in that world, and the values of its parameters. */
  match: Match = unmatched
  parameters: ActionContext['parameters'] = noParameters
  /** The user of the request's token. */
  user: WireRecord | undefined
  /** The parent record in the path, the attribute of its children with its key, and that key. */
  parent: WireRecord | undefined
  parentAttribute: string | undefined
  parentKey: unknown
  /** The record that the path names, and its row. */
  record: WireRecord | undefined
  row: Row | undefined
  /** The query parameters and the attributes of the body, after validation by the policy. */
  query: Query = noQuery
  attributes: WireRecord = noAttributes
  /** Start of the answer in milliseconds, and its changes of records, if there is a journal. */
  startedAt: number | undefined
  changes: NotedChanges | undefined
  #matchedBy: WorldInstance['router'] | undefined
  #searchParams: URLSearchParams | undefined
  #now: Timestamp | undefined
  /** Parsed body or its error, with the `content-type` switch that was used, because worlds may differ in it. */
  #body: { readonly contentType: string; readonly value?: unknown; readonly error?: unknown } | undefined

  constructor(request: UnderstudyRequest, main: WorldInstance) {
    const { path, search } = splitUrl(request.url)
    this.request = request
    this.method = request.method
    this.path = path
    this.search = search
    this.headers = request.headers ?? noHeaders
    this.hasBody = request.body !== undefined
    this.world = main
    this.model = main.model
  }

  /**
   * Enters a world and matches the path there, once for all later steps. Begins a journal entry, except in a tentative
   * world.
   */
  enter(world: WorldInstance, isTentative = false): void {
    const { router } = world
    if (router !== this.#matchedBy) {
      this.#matchedBy = router
      this.match = router.match(routedMethod(this.method), this.path)
      if (this.match.kind === 'endpoint') this.parameters = this.match.parameters
    }
    this.world = world
    this.isTentative = isTentative
    this.model = world.model
    if (isTentative || !world.journal.isOn) return
    this.startedAt = realTime()
    this.changes = []
  }

  get now(): Timestamp {
    this.#now ??= this.model.now()
    return this.#now
  }

  get bearer(): string | undefined {
    return readBearer(this)
  }

  get searchParams(): URLSearchParams {
    this.#searchParams ??= new URLSearchParams(this.search)
    return this.#searchParams
  }

  /**
   * Parsed JSON body; `undefined` if there is none.
   *
   * @throws ApiError if the body is invalid.
   */
  get body(): unknown {
    const { switches } = this.world
    const contentType = switches['content-type']
    if (this.#body?.contentType !== contentType) {
      try {
        this.#body = { contentType, value: readBody(this.request, switches) }
      } catch (error) {
        this.#body = { contentType, error }
      }
    }
    if (this.#body?.error !== undefined) throw this.#body.error
    return this.#body?.value
  }

  bodyMember(name: string): unknown {
    try {
      const { body } = this
      return isObject(body) ? body[name] : undefined
    } catch {
      // An invalid body has no members; the policy reports it.
      return undefined
    }
  }
}
