import { attack, differs } from './target.ts'

const visits: readonly (readonly [what: string, method: string, path: string])[] = [
  ['without a credential', 'GET', '/api/pipelines'],
  ['to an unknown path', 'GET', '/api/nowhere'],
  ['by a method that is not allowed', 'PUT', '/api/pipelines'],
  ['that asks before (a preflight)', 'OPTIONS', '/api/pipelines'],
  ['whose path cannot be decoded', 'GET', '/api/pipelines/%zz'],
  ['with the token of another schedule', 'POST', '/api/pipeline_schedules/1/pipeline_runs/wrong'],
]

/** Requests that are not let in, and must neither bear a world nor push one out. */
const visitAttacks = visits.map(([what, method, path]) =>
  attack({
    name: `worlds: a request ${what}`,
    setting: { auth: 'key', worlds: 1 },
    async send({ ask, admin }) {
      await admin('POST', '/worlds', { name: 'kept' })
      await ask(method, path, undefined, { 'x-understudy-world': 'unborn' })
      const { worlds } = (await admin('GET', '/worlds')).body as { worlds: { name: string }[] }
      return worlds.map(({ name }) => name)
    },
    holds: (names) => differs('worlds', ['main', 'kept'], names),
  }),
)

const names: readonly (readonly [what: string, name: string])[] = [
  ['of 10,000 characters', 'a'.repeat(10_000)],
  ['of 65 characters', 'a'.repeat(65)],
  ['in full-width letters, which normalise to that of another', '\uff41lice'],
  ['with a mark that is combined', 'a\u0301lice'],
  ['with a NUL', 'alice\u0000'],
  ['with blanks around', '\u2003alice\u2003'],
  ['that leads up', '../alice'],
  ['that is part of every object', '__proto__'],
]

/** Names that are none, by key, since a header cannot carry them all. */
const nameAttacks = names.map(([what, name]) =>
  attack({
    name: `worlds: a name ${what}`,
    async send({ ask, admin }) {
      await admin('POST', '/worlds', { name: 'alice' })
      await ask('POST', '/api/pipelines', { pipeline: { name, type: 'python' }, api_key: `any~${name}` })
      await ask('GET', `/api/pipelines?api_key=${encodeURIComponent(`any~${name}`)}`)
      await admin('POST', '/worlds', { name })
      const { worlds } = (await admin('GET', '/worlds')).body as { worlds: { name: string }[] }
      const { pipelines } = (await ask('GET', '/api/pipelines', undefined, { 'x-understudy-world': 'alice' }))
        .body as { pipelines: object[] }
      return [worlds.map((world) => world.name), pipelines.length]
    },
    holds: (found) => differs('worlds, and what one of them holds', [['main', 'alice'], 2], found),
  }),
)

export const worldAttacks = [...visitAttacks, ...nameAttacks]
