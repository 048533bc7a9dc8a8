import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** By how much of their time they wait: for processes, for a browser, for nobody. */
const order = ['process', 'browser', 'judge', 'fast']
const placeOf = ({ project }: TestSpecification) => order.indexOf(project.name)

/** Runs first what waits: at the end, when one worker has nothing left to do, the files of the other are short. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
