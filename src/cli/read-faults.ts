import { type Fault, FaultError, readFaults } from '../engine/faults/fault.ts'
import { readJsonFile } from './files.ts'

/** Reads a file of faults; an error names the file. */
export async function readFaultFile(name: string): Promise<Fault[]> {
  const given = await readJsonFile(name, `the faults ${name}`)
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
