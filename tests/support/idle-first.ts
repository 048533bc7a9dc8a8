import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects by how much of their time they wait, for processes or for a browser. */
const order = ['process', 'browser', 'verifier', 'fast']

/** Files of the thorough project that take longest, the longest first. */
const longest = [
  'independent-servers.thorough',
  'conforming-servers',
  'demo.thorough',
  'shipped-mutants',
  'reproduction',
  'provoked.thorough',
  'crash.process',
  'panel.thorough',
  'traffic-mutants',
]

/** The place of a file in a list of names, or the place after them. */
function placeIn(names: readonly string[], isNamed: (name: string) => boolean): number {
  const place = names.findIndex(isNamed)
  return place === -1 ? names.length : place
}

/** Starts what mostly waits before what computes, and long files before short ones, so that all workers end together. */
function placeOf({ project, moduleId }: TestSpecification): number {
  return project.name === 'thorough'
    ? placeIn(longest, (name) => moduleId.endsWith(`/${name}.test.ts`))
    : placeIn(order, (name) => name === project.name)
}

/** Orders the test files of a run. */
export class IdleFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
