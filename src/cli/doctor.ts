import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { packageFolder } from '../files/package-folder.ts'
import { defaultPort } from '../shared/addresses.ts'
import { hidden } from '../shared/hidden.ts'
import { diagnoseAddress, diagnoseProject } from './doctor/diagnose.ts'
import type { NamedFinding } from './doctor/finding.ts'
import { secret, wholeNumber } from './options.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { readFixtureFile } from './read-fixture.ts'

/** Adds `doctor`. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('doctor')
    .argument('[place]', 'project folder, or URL of the mock server or its proxy', '.')
    .description('diagnose a project or a server and suggest fixes')
    .option('--port <number>', 'port of the mock server in this project', wholeNumber(1, 65_535), defaultPort)
    .option('--server <url>', 'URL of the mock server behind the proxy')
    .option('--dev-server <url>', 'URL of the development server (default: by framework)')
    .addOption(
      new Option('--admin-token <token>', 'token of its admin API')
        .env('UNDERSTUDY_ADMIN_TOKEN')
        .argParser(secret),
    )
    .option('--json', 'print findings as JSON')
    .action(async (place, flags) => {
      // Accept an address without a scheme, as browsers do: `localhost:6789`.
      const address = /^[\w.-]+:\d+(?:\/|$)/.test(place) ? `http://${place}` : place
      const findings = /^https?:\/\//i.test(address)
        ? await diagnoseAddress(address, flags)
        : await diagnoseFolder(resolve(place), flags)
      const wrong = findings.filter(({ state }) => state === 'wrong').length
      const shown = place.replace(/\/\/[^/]*@/, `//${hidden}@`)
      print(io, flags.json ? JSON.stringify({ place: shown, wrong, findings }) : describe(findings, wrong))
      io.exitCode = wrong === 0 ? 0 : 1
    })
}

async function diagnoseFolder(
  folder: string,
  { port, devServer }: { readonly port: number; readonly devServer?: string | undefined },
): Promise<NamedFinding[]> {
  const own = JSON.parse(await readFile(join(packageFolder(), 'package.json'), 'utf8'))
  const { node } = process.versions
  return diagnoseProject(folder, { own, node, port, devServer, readFixture: readFixtureFile })
}

function describe(findings: readonly NamedFinding[], wrong: number): string {
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
  const end = wrong === 0 ? 'Nothing is wrong.' : `${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`
  return `${[...lines, '', end].join('\n')}\n`
}
