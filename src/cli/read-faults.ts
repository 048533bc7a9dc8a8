import { type Fault, FaultError, readFaults } from '../engine/faults/fault.ts'
import { readJsonFile } from '../files/read-file.ts'

/** Reads a file of faults; errors name the file. */
export async function readFaultFile(name: string): Promise<Fault[]> {
  const given = await readJsonFile(name, `the faults ${name}`)
  return namingFaults(name, () => readFaults(given))
}

/** Runs a function that loads faults from a file, and names the file in fault errors. */
export function namingFaults<Result>(name: string | undefined, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof FaultError && name !== undefined ? new Error(`${name}: ${error.detail}`) : error
  }
}
