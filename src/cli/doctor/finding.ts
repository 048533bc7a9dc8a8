/** The result of a check: either correct, or a problem with its solution. */
export type DoctorFinding =
  | { readonly state: 'good'; readonly about: string; readonly found: string }
  | {
      /** A warning is what works, and may surprise. */
      readonly state: 'warning' | 'wrong'
      readonly about: string
      readonly expected: string
      readonly found: string
      /** The solution. */
      readonly way: string
    }

/** A finding with the check that it is of. */
export type NamedFinding = DoctorFinding & { readonly check: string }

/** One check. It returns nothing if it does not apply. */
export interface Check<Subject> {
  readonly name: string
  look(subject: Subject): Promise<readonly DoctorFinding[]> | readonly DoctorFinding[]
}

export function good(about: string, found: string): DoctorFinding {
  return { state: 'good', about, found }
}

/** A problem and its solution. */
interface Flawed {
  readonly expected: string
  readonly found: string
  readonly way: string
}

export function wrong(about: string, flawed: Flawed): DoctorFinding {
  return { state: 'wrong', about, ...flawed }
}

export function warning(about: string, flawed: Flawed): DoctorFinding {
  return { state: 'warning', about, ...flawed }
}

/** Runs the checks in order. */
export async function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  subject: Subject,
): Promise<NamedFinding[]> {
  const found: NamedFinding[] = []
  for (const { name, look } of checks) {
    for (const finding of await look(subject)) found.push({ check: name, ...finding })
  }
  return found
}
