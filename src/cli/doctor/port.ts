import { connect } from 'node:net'
import * as z from 'zod/mini'
import { adminPath } from '../../shared/addresses.ts'
import { version } from '../../shared/version.ts'
import { type DoctorFinding, good, warning, wrong } from './finding.ts'
import { sendProbe } from './send-probe.ts'

/** Maximum time in which a process on this machine must identify itself, in milliseconds. */
const patience = 2_000

/** Checks what listens at the default port of `pipeline-understudy serve`. */
export async function lookAtPort(port: number): Promise<DoctorFinding[]> {
  const about = `port ${port}`
  if (!(await isTaken(port))) return [good(about, 'free')]
  const speaker = await askWhoItIs(`http://127.0.0.1:${port}`)
  if (speaker === undefined)
    return [
      wrong(about, {
        expected: 'free, or taken by an understudy',
        found: 'something else listens there',
        way: `Stop it, or serve elsewhere: \`pipeline-understudy serve --port ${port + 1}\`.`,
      }),
    ]
  if (speaker === version || speaker === 'unknown') return [good(about, 'an understudy listens there')]
  return [
    warning(about, {
      expected: `an understudy of version ${version}, which this is`,
      found: `one of version ${speaker}`,
      way: 'Stop it, and start it again from this project.',
    }),
  ]
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: patience })
    const end = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', end(true)).once('timeout', end(true)).once('error', end(false))
  })
}

const versionSchema = z.object({ name: z.literal('pipeline-understudy'), version: z.string() })

/**
 * Returns the version of the understudy there, `unknown` if it does not report one, or undefined if there is
 * none.
 */
async function askWhoItIs(url: string): Promise<string | undefined> {
  const reply = versionSchema.safeParse((await sendProbe(`${url}${adminPath}/version`, { patience }))?.body)
  if (reply.success) return reply.data.version
  // One without an admin API, or with a token, answers the API all the same.
  const list = await sendProbe(`${url}/api/pipelines?_limit=1`, { patience })
  return list?.isEnvelope ? 'unknown' : undefined
}
