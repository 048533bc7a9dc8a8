import { seededRandom } from '../../src/shared/seeded.ts'
import { type Answer, attack, codeOf, differs, listOf, type Target } from './target.ts'

const writers = 20
const rounds = 80
/** Few enough that bystanders are pushed out, and so many that no writer is the one that was used least recently. */
const mostWorlds = writers * 3

/** A record that many write at once. */
type RacedRecord = Readonly<Record<string, unknown>>

/** A client with a world to itself: it knows what it was told, and must find that, and nothing else. */
class Writer {
  readonly #target: Target
  readonly #world: string
  readonly #random: () => number
  readonly #shapes: ReadonlySet<string>
  readonly #flaws: string[]
  readonly #standing = new Map<string, string>()
  readonly #gone = new Set<string>()
  readonly #ids = new Set<unknown>()
  #count = 0
  acknowledged = 0

  constructor(target: Target, world: string, shapes: ReadonlySet<string>, flaws: string[]) {
    this.#target = target
    this.#world = world
    this.#random = seededRandom(1, world)
    this.#shapes = shapes
    this.#flaws = flaws
  }

  async act(): Promise<void> {
    const one = this.#one()
    const draw = this.#random()
    if (one === undefined || draw < 0.3) await this.#create()
    else if (draw < 0.45) await this.#change(one)
    else if (draw < 0.55) await this.#delete(one)
    else if (draw < 0.65) await this.#start(one)
    else if (draw < 0.9) await this.#look(one)
    else await this.list()
  }

  async #create(): Promise<void> {
    const uuid = `${this.#world}_${this.#count++}`
    const made = await this.#ask('POST', '/api/pipelines', { pipeline: { name: uuid, type: 'python' } })
    if (memberOf(made, 'pipeline').uuid !== uuid) return this.#say('created otherwise', uuid, made)
    this.#standing.set(uuid, '')
    this.acknowledged++
  }

  async #change(uuid: string): Promise<void> {
    const description = `change ${this.#count++}`
    const changed = await this.#ask('PUT', `/api/pipelines/${uuid}`, { pipeline: { description } })
    if (memberOf(changed, 'pipeline').description !== description)
      return this.#say('changed otherwise', uuid, changed)
    this.#standing.set(uuid, description)
    this.acknowledged++
  }

  async #delete(uuid: string): Promise<void> {
    const deleted = await this.#ask('DELETE', `/api/pipelines/${uuid}`)
    if (codeOf(deleted) !== 200) return this.#say('not deleted', uuid, deleted)
    this.#standing.delete(uuid)
    this.#gone.add(uuid)
    this.acknowledged++
    const read = await this.#ask('GET', `/api/pipelines/${uuid}`)
    if ('pipeline' in (read.body as object)) this.#say('there after its deletion', uuid, read)
  }

  /** Ids count up in a world, and none is given twice. */
  async #start(uuid: string): Promise<void> {
    const made = await this.#ask('POST', `/api/pipelines/${uuid}/backfills`, { backfill: { name: uuid } })
    const { id, pipeline_uuid } = memberOf(made, 'backfill')
    if (pipeline_uuid !== uuid || this.#ids.has(id)) this.#say('a backfill made otherwise', uuid, made)
    this.#ids.add(id)
  }

  async #look(uuid: string): Promise<void> {
    const read = await this.#ask('GET', `/api/pipelines/${uuid}`)
    const { description } = memberOf(read, 'pipeline')
    if ((description ?? '') !== this.#standing.get(uuid)) this.#say('not as it was written', uuid, read)
    if (!this.#shapes.has(shapeOf(read))) this.#say('in a form of no server', uuid, read)
  }

  /** All that stands, and nothing that has gone or belongs to others. */
  async list(): Promise<void> {
    const listed = await this.#ask('GET', '/api/pipelines')
    const { pipelines = [] } = listed.body as { pipelines?: readonly { readonly uuid: string }[] }
    const found = pipelines.map(({ uuid }) => uuid).filter((uuid) => uuid !== 'daily_sales')
    const expected = [...this.#standing.keys()]
    const flaw = differs(`what stands in ${this.#world}`, expected.sort(), found.sort())
    if (flaw !== undefined) this.#flaws.push(flaw)
  }

  #one(): string | undefined {
    const standing = [...this.#standing.keys()]
    return standing[Math.floor(this.#random() * standing.length)]
  }

  #ask(method: string, path: string, body?: object): Promise<Answer> {
    return this.#target.ask(method, path, body, { 'x-understudy-world': this.#world })
  }

  #say(what: string, uuid: string, { status, text }: Answer): void {
    this.#flaws.push(`${what}: ${uuid} in ${this.#world}: ${status} ${text.slice(0, 200)}`)
  }
}

function memberOf({ body }: Answer, singular: string): RacedRecord {
  return (body as Record<string, RacedRecord | undefined> | undefined)?.[singular] ?? {}
}

/** The names of what a reply shows: a server that is real has others than the document. */
function shapeOf(answer: Answer): string {
  return [...Object.keys(answer.body as object), ...Object.keys(memberOf(answer, 'pipeline'))].join()
}

/** Disturbs everybody until it is told to stop: what it does to a world it does to bystanders, or changes nothing in it. */
async function disturb({ ask, admin }: Target, seed: number, isOver: () => boolean): Promise<string[]> {
  const random = seededRandom(seed, 'disturb')
  const one = (from: number) => Math.floor(random() * from)
  const taken: Answer[] = []
  for (let index = 0; !isOver(); index++) {
    const bystander = `by${one(12)}`
    const acts = [
      () => admin('PUT', '/profile', { name: one(2) === 0 ? null : 'mage-ai-0.9.79' }),
      () =>
        admin('POST', '/worlds', { name: `own${seed}x${index}`, fixture: { pipelines: [{ name: 'own' }] } }),
      () => ask('GET', '/api/pipelines', undefined, { 'x-understudy-world': bystander }),
      () => admin('DELETE', `/worlds/${bystander}`),
      () => admin('POST', `/worlds/${bystander}/reset`),
      () => admin('PUT', `/worlds/${bystander}/state`, { pipelines: [{ name: 'imported' }] }),
      () => admin('PUT', `/worlds/w${one(writers)}/snapshots/s`),
      () => admin('POST', `/worlds/w${one(writers)}/clock/advance`, { duration: '1h' }),
      () => admin('PUT', `/worlds/${bystander}/snapshots/s`),
      () => admin('POST', `/worlds/${bystander}/snapshots/s/restore`),
    ]
    taken.push(await acts[one(acts.length)]!())
  }
  return taken
    .filter(({ status }) => status >= 500)
    .map(({ status, text }) => `${status} ${text.slice(0, 200)}`)
}

/** What one client does to its world, and the admin API to the server and to other worlds, all at once. */
export const raceAttacks = [
  attack({
    name: 'races: twenty writers, while profiles are taken and worlds are born, restored, deleted and pushed out',
    setting: { worlds: mostWorlds, fixture: { pipelines: [{ name: 'daily_sales' }] } },
    isLong: true,
    async send(target) {
      const shapes = new Set<string>()
      for (const name of ['mage-ai-0.9.79', null]) {
        await target.admin('PUT', '/profile', { name })
        shapes.add(shapeOf(await target.ask('GET', '/api/pipelines/daily_sales')))
      }
      const flaws: string[] = []
      const all = listOf(writers, (index) => new Writer(target, `w${index}`, shapes, flaws))
      let isOver = false
      let atWork = writers
      const disturbing = [1, 2, 3].map((seed) => disturb(target, seed, () => isOver))
      await Promise.all(
        all.map(async (writer) => {
          for (let round = 0; round < rounds; round++) await writer.act()
          atWork--
          // A world that is not used is pushed out, rightly.
          while (atWork > 0) await writer.list()
        }),
      )
      isOver = true
      flaws.push(...(await Promise.all(disturbing)).flat())
      for (const writer of all) await writer.list()
      const acknowledged = all.reduce((sum, writer) => sum + writer.acknowledged, 0)
      return { forms: shapes.size, hasWritten: acknowledged > 300, flaws: flaws.slice(0, 5) }
    },
    holds: (found) => differs('forms, writes and flaws', { forms: 2, hasWritten: true, flaws: [] }, found),
  }),
]
