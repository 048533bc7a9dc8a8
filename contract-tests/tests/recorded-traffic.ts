import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recording } from '../../lab/real-server/recording.ts'
import { createUnderstudy, type UnderstudyOptions } from '../../src/index.ts'
import type { Profile } from '../../src/profiles/index.ts'
import { tryParseJson } from '../../src/shared/json.ts'
import { seededRandom } from '../../src/shared/seeded.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { isObject } from '../runner/is-object.ts'
import type { Answering } from '../runner/transports/transport.ts'
import { answering } from '../targets/answering.ts'
import { targetFixture } from '../targets/fixture.ts'

const folder = join(import.meta.dirname, '../../fixtures/recorded/mage-ai-0.9.79')

/** The exchanges of a real server, as they were recorded. */
export async function realTraffic(mode: 'open' | 'login'): Promise<RecordedExchange[]> {
  const { exchanges } = JSON.parse(await readFile(join(folder, `${mode}.json`), 'utf8')) as Recording
  return exchanges.map(({ method, path, credentials = {}, body, reply }, index) => ({
    source: mode,
    world: undefined,
    position: index + 1,
    client: mode,
    startedAt: Date.UTC(2026, 10, 21) + index * 50,
    milliseconds: 10,
    isOrdered: false,
    request: {
      method,
      url: `http://recorded.invalid${path}`,
      headers: Object.fromEntries(
        Object.entries(credentials).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: body === undefined ? undefined : JSON.stringify(body),
    },
    reply: {
      status: reply.status,
      headers: { 'content-type': reply.contentType },
      body: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
    },
  }))
}

/** The options of recorded traffic of the mock. */
interface MockTraffic {
  readonly profile?: Profile
  readonly clients?: number
  readonly requests?: number
  readonly seed?: number
  /** Milliseconds between a client's requests, and until a reply; 0 for one request after the other. */
  readonly latency?: number
  /** Puts a server with a defect in front of the mock. */
  readonly behind?: (mock: Answering) => Answering
}

/** A request that a client sends next. */
type Sent = readonly [method: string, path: string, body?: unknown]

/** One user of the mock, who sends a request when the reply to the last one has come. */
class MockClient {
  readonly #random: () => number
  readonly #name: string
  readonly #pipelines: string[] = ['standing']
  readonly #backfills: { readonly id: number; readonly pipeline: string }[] = []
  readonly #blocks: { readonly uuid: string; readonly pipeline: string }[] = []
  #count = 0
  #next: readonly Sent[] = []

  constructor(name: string, random: () => number) {
    this.#name = name
    this.#random = random
  }

  /** A write, followed by reads that show it. */
  choose(): Sent {
    const [first, ...rest] = this.#next.length > 0 ? this.#next : this.#plan()
    this.#next = rest
    return first ?? ['GET', '/api/pipelines']
  }

  learn([method, path, body]: Sent, reply: unknown): void {
    if (method !== 'POST' || !isObject(reply)) return
    const pipeline = path.split('/')[3] ?? ''
    if (isObject(reply.pipeline)) this.#pipelines.push(String(reply.pipeline.uuid))
    if (isObject(reply.backfill)) this.#backfills.push({ id: Number(reply.backfill.id), pipeline })
    if (isObject(reply.block) && isObject(body) && isObject(body.block))
      this.#blocks.push({ uuid: String(reply.block.uuid ?? body.block.name), pipeline })
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.#random() * items.length)]
  }

  #plan(): readonly Sent[] {
    const number = ++this.#count
    const pipeline = this.#pick(this.#pipelines) ?? 'standing'
    const backfill = this.#pick(this.#backfills)
    const block = this.#pick(this.#blocks)
    const lists: readonly Sent[] = [
      ['GET', `/api/backfills?pipeline_uuid=${backfill?.pipeline ?? pipeline}`],
      ['GET', `/api/backfills?pipeline_uuid=${backfill?.pipeline ?? pipeline}&_limit=2`],
      ['GET', `/api/backfills?pipeline_uuid=${backfill?.pipeline ?? pipeline}&_limit=2&_offset=2`],
      ['GET', '/api/backfills?include_run_count=true'],
    ]
    const update = (sent: object): readonly Sent[] =>
      backfill === undefined
        ? []
        : [
            ['PUT', `/api/pipelines/${backfill.pipeline}/backfills/${backfill.id}`, { backfill: sent }],
            ...lists,
          ]
    const kinds: (() => readonly Sent[])[] = [
      () => [
        ['POST', '/api/pipelines', { pipeline: { name: `${this.#name} ${number}`, type: 'python' } }],
        ['GET', `/api/pipelines/${this.#name}_${number}`],
        ['GET', '/api/pipelines'],
        ['GET', '/api/pipelines?include_schedules=1'],
      ],
      () => [
        ['POST', `/api/pipelines/${pipeline}/blocks`, { block: { name: `${this.#name}_block_${number}`, type: 'data_loader', language: 'python', content: 'load()', ...(block?.pipeline === pipeline && { upstream_blocks: [block.uuid] }) } }],
        ['GET', `/api/pipelines/${pipeline}`],
        ['GET', `/api/pipelines/${pipeline}/blocks/${this.#name}_block_${number}`],
        ...(block?.pipeline === pipeline ? [['GET', `/api/pipelines/${pipeline}/blocks/${block.uuid}`] as const] : []),
      ],
      () => [['POST', `/api/pipelines/${pipeline}/backfills`, { backfill: { name: `backfill ${number}` } }], ['GET', `/api/backfills?pipeline_uuid=${pipeline}`], ['GET', '/api/backfills']],
      () => [['POST', `/api/pipelines/${pipeline}/backfills`, { backfill: { name: `other ${number}` } }], ...lists],
      () => update({ name: `renamed ${number}` }),
      () => update({ start_datetime: '2026-01-01 00:00:00', end_datetime: '2026-01-02 00:00:00', interval_type: 'day', interval_units: 1 + (number % 5) }),
      () => update({ variables: { region: `r${number}` } }),
      () => update({ interval_type: 'fortnight' }),
      () => (backfill === undefined ? [] : [['GET', `/api/backfills/${backfill.id}`], ...lists, ['GET', `/api/backfills/${backfill.id}`]]),
      () => (backfill === undefined || number % 2 === 1 ? [] : [['DELETE', `/api/backfills/${backfill.id}`], ...lists, ['GET', `/api/backfills/${backfill.id}`]]),
      () => (block === undefined ? [] : [['DELETE', `/api/pipelines/${block.pipeline}/blocks/${block.uuid}?block_type=data_loader`], ['GET', `/api/pipelines/${block.pipeline}`], ['GET', `/api/pipelines/${block.pipeline}/blocks/${block.uuid}`]]),
      () => [['GET', '/api/pipelines/standing/pipeline_schedules'], ['GET', '/api/pipelines/standing/pipeline_schedules?tag[]=red'], ['GET', '/api/pipelines/standing/pipeline_schedules']],
      () => [['POST', '/api/pipeline_schedules/1/pipeline_runs/standing-token', { day: number }], ['GET', '/api/pipelines/standing/pipeline_schedules'], ['GET', '/api/pipelines/standing/logs']],
      () => [['GET', `/api/pipelines/${pipeline}`], ['GET', `/api/pipelines/${pipeline}`]],
      () => [['GET', '/api/oauth_access_tokens'], ['GET', '/api/oauth_access_tokens?show_all=1&_limit=1']],
    ] // biome-ignore format: a table
    return this.#pick(kinds)?.() ?? []
  }
}

/** The traffic of clients that use the mock, as a proxy between them would record it. */
export async function mockTraffic(options: MockTraffic = {}): Promise<RecordedExchange[]> {
  const { profile, clients: count = 1, requests = 400, seed = 1, latency = count > 1 ? 8 : 0 } = options
  const { behind = (mock: Answering) => mock } = options
  const random = seededRandom(seed, 'traffic')
  let now = Date.UTC(2026, 0, 1)
  const given = targetFixture.pipeline_schedules
  const [first, ...schedules] = Array.isArray(given) ? given : []
  const fixture = {
    ...targetFixture,
    pipeline_schedules: [{ ...first, token: 'standing-token' }, ...schedules],
  }
  const understudy = createUnderstudy({
    fixture, journal: false, clock: { now: () => now }, auth: 'login', ...(profile && { profile }),
  } as UnderstudyOptions) // biome-ignore format: short
  const server = behind(answering(understudy))
  const headers = {
    'x-api-key': 'contract-key',
    'oauth-token': 'judge-active-token',
    'content-type': 'application/json',
  }
  const recorded: RecordedExchange[] = []
  const clients = Array.from({ length: count }, (_, index) => ({
    client: new MockClient(`c${index}`, random), name: `client ${index}`, free: now,
  })) // biome-ignore format: short
  const flights: { at: number; land: () => Promise<void> }[] = []
  for (let sent = 0; sent < requests || flights.length > 0; ) {
    const ready = clients.reduce((one, other) => (other.free < one.free ? other : one))
    const flight = flights.toSorted((one, other) => one.at - other.at)[0]
    if (flight !== undefined && (flight.at <= ready.free || sent === requests)) {
      flights.splice(flights.indexOf(flight), 1)
      now = flight.at
      await flight.land()
      continue
    }
    sent++
    const startedAt = Math.max(ready.free, now)
    const milliseconds = random() * latency
    const request = ready.client.choose()
    const [method, path, body] = request
    const text = body === undefined ? undefined : JSON.stringify(body)
    ready.free = Number.POSITIVE_INFINITY
    const land = async () => {
      const reply = await server.answer({ method, path, headers, body: text })
      ready.client.learn(request, tryParseJson(reply.text))
      ready.free = startedAt + milliseconds + 2 + random() * latency
      recorded.push({
        source: 'mock', world: undefined, position: recorded.length + 1, client: ready.name, startedAt, milliseconds,
        isOrdered: false,
        request: { method, url: `http://mock.invalid${path}`, headers, body: text },
        reply: { status: reply.status, headers: { 'content-type': reply.contentType }, body: reply.text },
      }) // biome-ignore format: short
    }
    flights.push({ at: startedAt + random() * milliseconds, land })
  }
  return recorded.toSorted((one, other) => one.startedAt - other.startedAt)
}
