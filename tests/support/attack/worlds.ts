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
export const worldAttacks = visits.map(([what, method, path]) =>
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
