import type { Reporter, TestModule } from 'vitest/node'

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`.padStart(8)

/** The time of a file: loading, hooks and tests. */
function cost(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}

/** Prints the time of each project and the ten slowest files. */
export default class TimeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 10) return
    const projects = new Map<string, { files: number; milliseconds: number }>()
    for (const module of modules) {
      const before = projects.get(module.project.name) ?? { files: 0, milliseconds: 0 }
      projects.set(module.project.name, {
        files: before.files + 1,
        milliseconds: before.milliseconds + cost(module),
      })
    }
    const slowest = modules.toSorted((one, other) => cost(other) - cost(one)).slice(0, 10)
    const lines = [
      'Time per project, summed over the workers',
      ...[...projects].map(
        ([name, { files, milliseconds }]) => `${seconds(milliseconds)}  ${name} (${files} files)`,
      ),
      'The slowest files',
      ...slowest.map((module) => `${seconds(cost(module))}  ${module.relativeModuleId}`),
    ]
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}
