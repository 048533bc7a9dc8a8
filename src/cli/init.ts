import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { type Asking, askNobody, openQuestions } from './ask.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { setupOf } from './project/frameworks.ts'
import { commandLine, planStart, type StartPlan } from './project/plan-start.ts'
import { lookAtProject, type Project, type Runner } from './project/project.ts'
import { type FileOutcome, writeFiles, writeManifest } from './project/write-start.ts'

/** Adds `init`. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('init')
    .argument('[folder]', 'project folder', '.')
    .description('set up a project: handlers, a fixture and a first test')
    .option('--yes', 'skip questions and keep existing files')
    .option('--dry-run', 'print planned changes without writing them')
    .addOption(
      new Option('--runner <name>', 'test runner (default: detected)').choices([
        'vitest',
        'jest',
        'playwright',
        'node',
      ] as const),
    )
    .option('--no-install', 'list missing packages instead of installing them')
    .action((folder, flags) => runInit(folder, flags, io))
}

interface InitFlags {
  readonly yes?: true
  readonly dryRun?: true
  readonly runner?: Runner
  readonly install: boolean
}

async function runInit(name: string, flags: InitFlags, io: ProcessIo): Promise<void> {
  const { yes = false, dryRun = false } = flags
  const isAsking = !yes && !dryRun
  if (isAsking && !(process.stdin.isTTY && io.stdout.isTTY))
    throw new Error(
      'init asks questions, but this is not a terminal. Add --yes to write the missing files, or --dry-run to list them.',
    )
  const project = await lookAtProject(resolve(name))
  print(io, `${describe(project)}.`)
  const asking = isAsking ? await openQuestions(io) : askNobody
  try {
    await begin(project, flags, asking, io)
  } finally {
    asking.end()
  }
}

async function begin(project: Project, flags: InitFlags, asking: Asking, io: ProcessIo): Promise<void> {
  const { dryRun = false } = flags
  const say = (text: string) => print(io, text)
  const runner = flags.runner ?? (await asking.runner(project))
  const plan = planStart(project, runner)
  const missing = flags.install ? plan.install : []
  if (!(await asking.mayBegin(whatComes(project, plan, missing)))) {
    say('Nothing was written.')
    return
  }
  if (missing.length > 0) {
    if (dryRun) say(`would run    ${addLine(project, missing)}`)
    else await install(project, missing, io)
  }
  const installed = missing.length > 0 && !dryRun ? await lookAtProject(project.folder) : project
  const outcomes = await writeFiles(project.folder, plan.files(installed), asking.mayReplace, dryRun)
  const { added, left } = writeManifest(project, plan, dryRun)
  for (const outcome of outcomes) say(lineOf(outcome, dryRun))
  if (added.length > 0) say(`${dryRun ? 'would change' : 'changed  '} package.json: ${added.join(', ')}`)
  if (left.length > 0) say(`left      package.json: ${left.join(', ')}, which has different content`)
  const lines = flags.install || plan.install.length === 0 ? [] : [addLine(project, plan.install)]
  say(`\nNext:\n${[...lines, ...plan.next].map((line) => `  ${line}`).join('\n')}`)
}

/** Describes the project in a sentence without its period. */
function describe({
  framework,
  unknownFramework,
  view,
  usesTypeScript,
  runners,
  msw,
  agent,
}: Project): string {
  const frame = setupOf(framework)?.title ?? unknownFramework
  const made = [frame, view].filter((part) => part !== undefined).join(' with ')
  const [manager] = agent.split('@')
  return [
    `Found ${made === '' ? 'a project for Node' : made}`,
    usesTypeScript ? 'TypeScript' : 'JavaScript',
    runners.length === 0 ? 'no test runner' : runners.join(' and '),
    msw === undefined ? 'no msw' : `msw ${msw}`,
    manager,
  ].join(', ')
}

function lineOf({ path, state, isWritten }: FileOutcome, isDry: boolean): string {
  if (isWritten) return `${isDry ? 'would write ' : 'wrote    '} ${path}`
  return state === 'same' ? `unchanged ${path}` : `left      ${path}, which has different content`
}

function addLine(project: Project, packages: readonly string[]): string {
  return commandLine(project, 'add', ['-D', ...packages])
}

function whatComes(project: Project, plan: StartPlan, missing: readonly string[]): string {
  const files = plan.files(project).map(({ path }) => path)
  const installs = missing.length === 0 ? '' : `Install ${missing.join(' and ')}, and write `
  return `${installs === '' ? 'Write ' : installs}${files.join(', ')}?`
}

async function install(project: Project, packages: readonly string[], io: ProcessIo): Promise<void> {
  const line = addLine(project, packages)
  const [command = 'npm', ...args] = line.split(' ')
  print(io, `running   ${line}`)
  const child = spawn(command, args, {
    cwd: project.folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0)
    throw new Error(`\`${line}\` failed. Nothing was written. Run it manually, then run init again.`)
}
