import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { root } from './root.ts'
import { makeFolder } from './temporary.ts'

interface ActionStep {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

/** The used parts of `action.yml`. */
interface ActionMetadata {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly ActionStep[] }
}

/** The action of this repository. */
export const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as ActionMetadata

/** The results of an action in a job. */
export interface JobResult {
  /** With what the last step ended. */
  readonly code: number
  readonly out: string
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** The folder of the project that the job works in. */
  readonly workspace: string
}

/** Runs the steps of the action with inputs, as a runner does: a bash each, with files for what a step leaves. */
export async function runAction(given: Readonly<Record<string, string>>): Promise<JobResult> {
  const folder = makeFolder()
  const workspace = join(folder, 'workspace')
  await mkdir(join(workspace, 'node_modules/.bin'), { recursive: true })
  await symlink(join(root, 'dist/cli/main.js'), join(workspace, 'node_modules/.bin/pipeline-understudy'))
  const files = {
    GITHUB_ENV: join(folder, 'env'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  }
  for (const file of Object.values(files)) await writeFile(file, '')
  const inputs = { ...defaultsOf(action), ...given }
  let [code, out] = [0, '']
  for (const step of action.runs.steps) {
    if (code !== 0 || !applies(step, inputs)) continue
    const script = join(folder, 'step.sh')
    await writeFile(script, step.run)
    const env = {
      ...process.env,
      ...pairsOf(await readFile(files.GITHUB_ENV, 'utf8')),
      ...mapValues(step.env, (value) => fill(value, inputs)),
      ...files,
      RUNNER_TEMP: folder,
      GITHUB_ACTIONS: 'true',
    }
    const bash = ['--noprofile', '--norc', '-eo', 'pipefail', script]
    // A group of its own: what a step leaves running ends with the job.
    const child = spawn('bash', bash, { cwd: workspace, env, detached: true })
    onTestFinished(() => endGroup(child.pid!))
    const ended = new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)))
    const printed = await Promise.all([text(child.stdout), text(child.stderr)])
    code = await ended
    out += printed.join('')
  }
  return {
    code,
    out,
    outputs: pairsOf(await readFile(files.GITHUB_OUTPUT, 'utf8')),
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
    workspace,
  }
}

function defaultsOf({ inputs }: ActionMetadata): Record<string, string> {
  return mapValues(inputs, (input) => input.default ?? '')
}

/** Returns whether the condition of a step holds for a command. */
function applies({ if: condition }: ActionStep, inputs: Readonly<Record<string, string>>): boolean {
  if (condition === undefined) return true
  const [, command] = /^inputs\.command == '(\w+)'$/.exec(condition)!
  return inputs.command === command
}

function fill(value: string, inputs: Readonly<Record<string, string>>): string {
  const [, name] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)!
  return inputs[name!]!
}

function pairsOf(lines: string): Record<string, string> {
  return Object.fromEntries([...lines.matchAll(/^([\w-]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
}

function mapValues<Value>(values: Readonly<Record<string, Value>>, change: (value: Value) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it runs any more.
  }
}
