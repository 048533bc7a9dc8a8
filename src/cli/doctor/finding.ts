/** What a check has seen: that something is as it should be, or what else it is, and the way out. */
export type DoctorFinding =
  | { readonly state: 'good'; readonly about: string; readonly found: string }
  | {
      /** A warning is what works, and may surprise. */
      readonly state: 'warning' | 'wrong'
      readonly about: string
      readonly expected: string
      readonly found: string
      /** What to do. */
      readonly way: string
    }

/** A finding with the check that it is of. */
export type NamedFinding = DoctorFinding & { readonly check: string }

/** One thing to look at. It finds nothing where that thing is not there. */
export interface Check<Subject> {
  readonly name: string
  look(subject: Subject): Promise<readonly DoctorFinding[]> | readonly DoctorFinding[]
}

export function good(about: string, found: string): DoctorFinding {
  return { state: 'good', about, found }
}

/** What is not as it should be. */
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

/** Has each check of a list look, in its order. */
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
