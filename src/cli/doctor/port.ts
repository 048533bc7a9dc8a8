import { connect } from 'node:net'
import { type DoctorFinding, good, wrong } from './finding.ts'
import { sendProbe } from './send-probe.ts'

/** Maximum time in which a process on this machine must answer, in milliseconds. */
const patience = 2_000

/** Checks what listens at the default port of `pipeline-understudy serve`. */
export async function lookAtPort(port: number): Promise<DoctorFinding> {
  const about = `port ${port}`
  if (!(await isTaken(port))) return good(about, 'free')
  const reply = await sendProbe(`http://127.0.0.1:${port}/api/pipelines?_limit=1`, { patience })
  if (reply?.isEnvelope) return good(about, 'an understudy listens there')
  return wrong(about, {
    expected: 'free, or taken by an understudy',
    found: 'something else listens there',
    way: `Stop it, or serve elsewhere: \`pipeline-understudy serve --port ${port + 1}\`.`,
  })
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
