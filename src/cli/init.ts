import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { type Command, Option } from '@commander-js/extra-typings'
import { keysOf } from '../shared/values.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { chooseRunner, commandLine, planStart } from './project/plan-start.ts'
import { type Project, readProject } from './project/project.ts'
import { type Runner, runners } from './project/runners.ts'
import { type FileOutcome, writeFiles, writeManifest } from './project/write-start.ts'

interface InitFlags {
  readonly dryRun?: true
  readonly runner?: Runner
  readonly install: boolean
}

/** Adds the command `init` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('init')
    .argument('[folder]', 'project folder', '.')
    .description('set up a project: handlers, a fixture and a first test')
    .option('--dry-run', 'print planned changes without writing them')
    .addOption(new Option('--runner <name>', 'test runner (default: detected)').choices(keysOf(runners)))
    .option('--no-install', 'list missing packages instead of installing them')
    .action((folder, flags) => runInit(folder, flags, io))
}

async function runInit(folder: string, flags: InitFlags, io: ProcessIo): Promise<void> {
  const { dryRun = false } = flags
  const write = (text: string) => print(io, text)
  const project = await readProject(resolve(folder))
  write(`${describe(project)}.`)
  const plan = planStart(project, flags.runner ?? chooseRunner(project))
  const addLine = commandLine(project, 'add', ['-D', ...plan.install])
  const installs = flags.install && plan.install.length > 0
  if (installs) write(`${dryRun ? 'would run   ' : 'running  '} ${addLine}`)
  if (installs && !dryRun) await install(addLine, project.folder)
  const installed = installs && !dryRun ? await readProject(project.folder) : project
  const outcomes = await writeFiles(project.folder, plan.files(installed), dryRun)
  for (const outcome of outcomes) write(lineOf(outcome, dryRun))
  const { added, left } = writeManifest(project, plan, dryRun)
  if (added.length > 0) write(`${dryRun ? 'would change' : 'changed  '} package.json: ${added.join(', ')}`)
  if (left.length > 0) write(`left      package.json: ${left.join(', ')}, which has different content`)
  const next = flags.install || plan.install.length === 0 ? plan.next : [addLine, ...plan.next]
  write(`\nNext:\n${next.map((line) => `  ${line}`).join('\n')}`)
}

/** Describes the project in a sentence without its period. */
function describe(project: Project): string {
  const { framework, unknownFramework, usesTypeScript, runners, msw, agent } = project
  const [manager] = agent.split('@')
  return [
    `Found ${framework?.title ?? unknownFramework ?? 'a project for Node'}`,
    usesTypeScript ? 'TypeScript' : 'JavaScript',
    runners.length === 0 ? 'no test runner' : runners.join(' and '),
    msw === undefined ? 'no msw' : `msw ${msw}`,
    manager,
  ].join(', ')
}

function lineOf({ path, state }: FileOutcome, isDry: boolean): string {
  switch (state) {
    case 'new':
      return `${isDry ? 'would write ' : 'wrote    '} ${path}`
    case 'same':
      return `unchanged ${path}`
    case 'other':
      return `left      ${path}, which has different content`
  }
}

async function install(line: string, cwd: string): Promise<void> {
  const [command = 'npm', ...args] = line.split(' ')
  const child = spawn(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' })
  const isDone = await new Promise<boolean>((resolve) => {
    child.once('close', (code) => resolve(code === 0))
    // The system does not find the package manager.
    child.once('error', () => resolve(false))
  })
  if (isDone) return
  throw new Error(
    `\`${line}\` failed, so init wrote nothing. Check that ${command} works, or pass --no-install and install the packages yourself.`,
  )
}
