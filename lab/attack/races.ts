import { createClient } from '../../src/admin/client/create-client.ts'
import { seededRandom } from '../../src/shared/seeded.ts'
import { ComparedWorld, comparedFixture } from '../lib/compared-world.ts'
import { type Answer, attack, differs, listOf, type Target } from './target.ts'

const writers = 20
const rounds = 80
/** Bystanders are evicted, but no writer is the world that was used least recently. */
const mostWorlds = writers * 3

/** Controls bystanders at random until the writers have finished; returns the replies that report a defect. */
async function disturb({ ask, admin }: Target, seed: number, isOver: () => boolean): Promise<string[]> {
  const random = seededRandom(seed, 'disturb')
  const one = (from: number) => Math.floor(random() * from)
  const taken: Answer[] = []
  for (let index = 0; !isOver(); index++) {
    const bystander = `by${one(12)}`
    const acts = [
      () => admin('POST', '/worlds', { name: `own${seed}x${index}`, profile: 'mage-ai-0.9.79' }),
      () =>
        admin('POST', '/worlds', { name: `own${seed}y${index}`, fixture: { pipelines: [{ name: 'own' }] } }),
      () => ask('GET', '/api/pipelines', undefined, { 'x-understudy-world': bystander }),
      () => admin('DELETE', `/worlds/${bystander}`),
      () => admin('POST', `/worlds/${bystander}/reset`),
      () => admin('PUT', `/worlds/${bystander}/state`, { pipelines: [{ name: 'imported' }] }),
      () => admin('PUT', `/worlds/${bystander}/snapshots/s`),
      () => admin('POST', `/worlds/${bystander}/snapshots/s/restore`),
    ]
    const act = acts[one(acts.length)]
    if (act !== undefined) taken.push(await act())
  }
  return taken
    .filter(({ status }) => status >= 500)
    .map(({ status, text }) => `${status} ${text.slice(0, 200)}`)
}

/** Many clients in worlds of their own, while the admin API controls other worlds. */
export const raceAttacks = [
  attack({
    name: 'races: twenty writers, while other worlds are created, reset, restored, deleted and evicted',
    setting: { worlds: mostWorlds, fixture: comparedFixture, clock: 'frozen' },
    isLong: true,
    async send(target) {
      const understudy = createClient(target.url)
      const flaws: string[] = []
      const all = listOf(writers, (index) => {
        const name = `w${index}`
        return new ComparedWorld({
          name,
          seed: 1,
          request: (method, path, json) => target.ask(method, path, json, { 'x-understudy-world': name }),
          controls: understudy.world(name),
          onFlaw: ({ kind, text }) => flaws.push(`${kind}: ${text}`),
        })
      })
      let atWork = writers
      const disturbing = [1, 2, 3].map((seed) => disturb(target, seed, () => atWork === 0))
      await Promise.all(
        all.map(async (world) => {
          for (let round = 0; round < rounds; round++) await world.step()
          atWork--
          // A world that is not used may be evicted.
          while (atWork > 0) await world.send('GET', '/api/pipelines')
        }),
      )
      flaws.push(...(await Promise.all(disturbing)).flat())
      return flaws.slice(0, 5)
    },
    holds: (found) => differs('flaws', [], found),
  }),
]
