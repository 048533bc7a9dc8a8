import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { readTextFile } from '../files/read-file.ts'
import { writeUserFile } from '../files/write-file.ts'
import { type ImportedFixture, importFixture } from '../import/import-fixture.ts'
import { readServer } from '../import/read-server.ts'
import { profiles } from '../profiles/index.ts'
import { quote } from '../shared/errors.ts'
import { createGlob } from '../shared/glob.ts'
import { refuseApiPath, shownUrl, suggestUrl, withoutTrailingSlashes } from '../shared/urls.ts'
import { readHar } from '../traffic/read-har.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'

const mostListed = 20
const everything = '*'

/** Adds the command `import` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('import')
    .description('write a fixture from a server or recorded traffic')
    .argument('<source>', 'base URL of a server, or a HAR file')
    .requiredOption('--out <file>', 'fixture file to write')
    .option('--pipelines <glob>', 'import only matching pipelines, such as sales_*', everything)
    .option('--relative-times', 'write timestamps relative to the clock')
    .addOption(new Option('--profile <name>', 'profile of the server').choices(Object.keys(profiles)))
    .addOption(new Option('--api-key <key>', 'valid API key of the server').env('UNDERSTUDY_API_KEY'))
    .addOption(new Option('--token <token>', 'decoded OAuth token').env('UNDERSTUDY_TOKEN'))
    .action(async (source, { out, pipelines, relativeTimes, profile, apiKey, token }) => {
      const selects = createGlob(pipelines)
      const url = withoutTrailingSlashes(source)
      const isUrl = /^https?:\/\//i.test(source)
      const meant = suggestUrl(source)
      if (meant !== '' || (isUrl && !URL.canParse(source)))
        throw new Error(`Expected a base URL or a HAR file; found ${shownUrl(source)}.${meant}`)
      if (isUrl) refuseApiPath(source)
      if (isUrl && /[@?#]/.test(source))
        throw new Error(
          'Expected a base URL without a user, a query and a fragment. Pass an API key with --api-key.',
        )
      const recorded = isUrl ? readServer({ url, apiKey, token, selects }) : readHar(source)
      const imported = await importFixture(recorded, {
        secret: readSecret(io),
        selects,
        hasRelativeTimes: relativeTimes,
        profile: profile === undefined ? undefined : profiles[profile],
      })
      if (pipelines !== everything && !imported.pipelines.some(selects))
        throw new Error(noMatch(pipelines, imported.pipelines))
      writeUserFile(out, `${JSON.stringify(imported.fixture, null, 2)}\n`)
      print(io, describe(imported, out))
    })
}

/** Reads the secret that determines pseudonyms, and creates it for the first import on this machine. */
function readSecret({ env }: ProcessIo): string {
  const { UNDERSTUDY_IMPORT_SECRET: given, XDG_CONFIG_HOME: folder, APPDATA: onWindows } = env
  if (given !== undefined && given !== '') return given
  const path = join(folder ?? onWindows ?? join(homedir(), '.config'), 'pipeline-understudy', 'import-secret')
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    writeUserFile(path, `${randomBytes(32).toString('hex')}\n`, { isNew: true, isPrivate: true })
  }
  return readTextFile(path).trim()
}

/** The reason for writing no fixture: it would have no pipelines. */
function noMatch(pattern: string, found: readonly string[]): string {
  const names = found.slice(0, mostListed).join(', ') || 'none'
  const more = found.length > mostListed ? ` and ${found.length - mostListed} more` : ''
  return `--pipelines: no pipeline matches ${quote(pattern)}. Found: ${names}${more}.`
}

function describe({ fixture, ...imported }: ImportedFixture, out: string): string {
  const counts = Object.entries(fixture).flatMap(([name, list]) =>
    Array.isArray(list) && name !== 'api_keys' ? `${list.length} ${name}` : [],
  )
  const { compared, different, differences } = imported.replies
  return [
    `Wrote ${out}: ${counts.join(', ') || 'no records'}.`,
    ...section('The API did not show users, their passwords, or these attributes:', [
      ...Array.from(imported.unseen, ([plural, names]) => `${plural}: ${names.join(', ')}`),
    ]),
    ...section('Added, because other records refer to them:', imported.assumed),
    ...section(
      'Left out, because the mock cannot have them:',
      imported.leftOut.map(({ path, expected, found }) => `${path}: expected ${expected}; found ${found}`),
    ),
    ...section(
      'Left out, because the specification does not contain them:',
      Array.from(imported.unknown, ([plural, names]) => `${plural}: ${[...names].join(', ')}`),
    ),
    ...section(
      `The mock gives ${different} of ${compared} replies differently:`,
      differences.map(
        ({ operation, place, count, request, recorded, mock }) =>
          `${operation} ${place}: recorded ${show(recorded)}, mock ${show(mock)} (${count} times, first ${request})`,
      ),
    ),
    ...(different === 0 ? [`The mock gives all ${compared} recorded replies to reads.`] : []),
    ...(imported.ignored === 0 ? [] : [`Ignored ${imported.ignored} exchanges: other paths, or no reply.`]),
  ].join('\n')
}

function section(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const more = items.length - mostListed
  const listed = items.slice(0, mostListed).map((item) => `  ${item}`)
  return [title, ...listed, ...(more > 0 ? [`  and ${more} more`] : [])]
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}
