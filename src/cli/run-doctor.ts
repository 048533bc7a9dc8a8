import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { diagnoseAddress, diagnoseProject } from './doctor/diagnose.ts'
import type { NamedFinding } from './doctor/finding.ts'
import type { ProcessIo } from './process-io.ts'
import { packageFolder, readFixtureFile } from './read-fixture.ts'

interface DoctorFlags {
  readonly port: number
  readonly server?: string
  readonly adminToken?: string
  readonly json?: true
}

export async function runDoctor(place: string, flags: DoctorFlags, io: ProcessIo): Promise<void> {
  // As browsers take it: `localhost:6789`.
  const address = /^[\w.-]+:\d+(?:\/|$)/.test(place) ? `http://${place}` : place
  const isAddress = /^https?:\/\//i.test(address)
  const findings = isAddress ? await diagnoseAddress(address, flags) : await lookAt(resolve(place), flags)
  const count = findings.filter(({ state }) => state === 'wrong').length
  io.stdout.write(
    flags.json ? `${JSON.stringify({ place, wrong: count, findings })}\n` : say(findings, count),
  )
  io.exitCode = count === 0 ? 0 : 1
}

async function lookAt(folder: string, { port }: DoctorFlags): Promise<NamedFinding[]> {
  const own = JSON.parse(await readFile(join(packageFolder(), 'package.json'), 'utf8'))
  return diagnoseProject(folder, { own, node: process.versions.node, port, readFixture: readFixtureFile })
}

function say(findings: readonly NamedFinding[], count: number): string {
  const lines = findings.flatMap((finding) => {
    if (finding.state === 'good') return [`good     ${finding.about}: ${finding.found}`]
    const { state, about, expected, found, way } = finding
    return [
      `${state.padEnd(7)}  ${about}`,
      `           expected  ${expected}`,
      `           found     ${found}`,
      `           to do     ${way}`,
    ]
  })
  const end = count === 0 ? 'Nothing is wrong.' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`
  return `${[...lines, '', end].join('\n')}\n`
}
