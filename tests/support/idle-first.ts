import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects by how much of their time they wait, for processes or for a browser. */
const order = ['process', 'browser', 'verifier', 'fast']
const placeOf = ({ project }: TestSpecification) => order.indexOf(project.name)

/** Runs files first that mostly wait, so that short files at the end use all workers. */
export class IdleFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
