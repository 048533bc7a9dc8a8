import { type Fault, FaultError, readFaults } from '../engine/faults/fault.ts'
import { readTextFile, whyUnreadable } from './read-text-file.ts'

/** Reads a file of faults; says the file where it cannot be read, is not JSON, or holds something else. */
export async function readFaultFile(name: string): Promise<Fault[]> {
  const text = await readTextFile(name).catch((error: NodeJS.ErrnoException) => {
    const reason = whyUnreadable(error)
    throw new Error(`Cannot read the faults ${name}: ${reason}.`)
  })
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch (error) {
    throw new Error(`Cannot read the faults ${name}: it is not JSON: ${(error as Error).message}.`)
  }
  return namingFaults(name, () => readFaults(given))
}

/** Runs something with faults of a file and names the file in what is wrong with them. */
export function namingFaults<Result>(name: string | undefined, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof FaultError && name !== undefined ? new Error(`${name}: ${error.detail}`) : error
  }
}
