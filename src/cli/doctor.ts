import { resolve } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { readPackageFile } from '../files/package-folder.ts'
import { defaultPort } from '../shared/addresses.ts'
import { hidden } from '../shared/hidden.ts'
import { type AddressOptions, diagnoseAddress } from './doctor/diagnose-address.ts'
import { diagnoseProject } from './doctor/diagnose-project.ts'
import type { Finding } from './doctor/finding.ts'
import { secret, wholeNumber } from './options.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { readFixtureFile } from './read-fixture.ts'

/** Adds the command `doctor` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('doctor')
    .argument('[place]', 'project folder, or URL of the mock server or its proxy', '.')
    .description('diagnose a project or a server and suggest fixes')
    .option('--port <number>', 'port of the mock server in this project', wholeNumber(1, 65_535), defaultPort)
    .option('--server <url>', 'URL of the mock server behind the proxy')
    .option('--dev-server <url>', 'URL of the development server (default: by framework)')
    .addOption(
      new Option('--admin-token <token>', 'token of the admin API')
        .env('UNDERSTUDY_ADMIN_TOKEN')
        .argParser(secret),
    )
    .option('--json', 'print findings as JSON')
    .action(async (place, flags) => {
      const findings: Finding[] = []
      for await (const finding of diagnose(place, flags)) findings.push(finding)
      const wrong = findings.filter(({ state }) => state === 'wrong').length
      const shown = place.replace(/\/\/[^/]*@/, `//${hidden}@`)
      print(io, flags.json ? JSON.stringify({ place: shown, wrong, findings }) : describe(findings, wrong))
      io.exitCode = wrong === 0 ? 0 : 1
    })
}

interface DoctorFlags extends AddressOptions {
  readonly port: number
  readonly devServer?: string | undefined
}

async function* diagnose(place: string, flags: DoctorFlags): AsyncGenerator<Finding> {
  // Accept an address without a scheme, as browsers do: `localhost:6789`.
  const address = /^[\w.-]+:\d+(?:\/|$)/.test(place) ? `http://${place}` : place
  if (/^https?:\/\//i.test(address)) return yield* diagnoseAddress(address, flags)
  const { port, devServer } = flags
  const own = JSON.parse(readPackageFile('package.json'))
  const { node } = process.versions
  yield* diagnoseProject(resolve(place), { own, node, port, devServer, readFixture: readFixtureFile })
}

function describe(findings: readonly Finding[], wrong: number): string {
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
  const end = wrong === 0 ? 'No problems found.' : `${wrong} ${wrong === 1 ? 'problem' : 'problems'} found.`
  return `${[...lines, '', end].join('\n')}\n`
}
