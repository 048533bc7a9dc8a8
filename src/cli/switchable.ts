import type { Understudy } from '../engine/create-understudy.ts'
import type { Profiles } from '../engine/profiles-here.ts'
import { withAnswers } from '../engine/with-answers.ts'
import { takeProfile } from '../engine/worlds/take-profile.ts'
import { insideOf } from '../engine/worlds/world.ts'
import type { WrongServers } from '../engine/wrong-servers.ts'
import { profiles } from '../profiles/index.ts'
import { suggest } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'

/** The wrong servers rest on the rules, and these on the whole document: a usual start loads none of that. */
export const loadBroken = () => import('./broken.ts')

/**
 * An understudy whose answers become those of a wrong server, and good again, while it runs, the first one by its name; and
 * which takes the ways of real servers, unless its state is kept for one of them.
 */
export async function switchable(
  good: Understudy,
  first: string | undefined,
  { isKept = false }: { readonly isKept?: boolean } = {},
): Promise<Understudy> {
  let now = good
  let nameNow: string | null = null
  const wrongServers: WrongServers = {
    async list() {
      const { brokenServers } = await loadBroken()
      return brokenServers.map(({ name, breaks }) => ({ name, breaks, isOn: name === nameNow }))
    },
    async current() {
      return nameNow === null ? null : ((await wrongServers.list()).find(({ isOn }) => isOn) ?? null)
    },
    async take(name) {
      if (name === null) now = good
      else {
        const { breakBy, brokenServers } = await loadBroken()
        const names = brokenServers.map((server) => server.name)
        if (!names.includes(name)) {
          throw new UnderstudyError(
            'NOT_FOUND',
            `There is no wrong server ${JSON.stringify(name)}.${suggest(name, names)} \`understudy serve --broken help\` lists them.`,
          )
        }
        now = breakBy(name, good)
      }
      nameNow = name
      for (const world of good.worlds.list()) {
        insideOf(good.world(world.name)).present().changes.note('wrong-server')
      }
    },
  }
  const ways: Profiles = {
    async list() {
      const { profile } = insideOf(good).present().settings
      return Object.keys(profiles).map((name) => ({ name, isOn: name === profile?.name }))
    },
    async take(name) {
      const names = Object.keys(profiles)
      if (name !== null && !names.includes(name)) {
        throw new UnderstudyError(
          'NOT_FOUND',
          `There is no profile ${JSON.stringify(name)}; there are ${names.join(', ')}.${suggest(name, names)}`,
        )
      }
      if (isKept) {
        throw new UnderstudyError(
          'CONFLICT',
          'The state is kept for one profile. Start the server anew, with --profile and another --state.',
        )
      }
      await takeProfile(good, name === null ? undefined : profiles[name])
    },
  }
  if (first !== undefined) await wrongServers.take(first)
  return withAnswers(good, {
    fetch: (input, init) => now.fetch(input, init),
    dispatch: (request) => now.dispatch(request),
    wrongServers,
    profiles: ways,
  })
}
