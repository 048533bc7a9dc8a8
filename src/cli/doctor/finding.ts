/** The checks of a project, then those of a server. */
export const checkNames = [
  ...(['node', 'package', 'framework', 'peers', 'worker', 'fixtures', 'port'] as const),
  ...(['answers', 'admin', 'arrives', 'path', 'headers', 'bodies'] as const),
]
type CheckName = (typeof checkNames)[number]

/** The result of a check: correct, or a problem with its solution. A warning is about a setting that works but may surprise. */
export type Finding = { readonly check: CheckName; readonly about: string; readonly found: string } & (
  | { readonly state: 'good' }
  | { readonly state: 'warning' | 'wrong'; readonly expected: string; readonly way: string }
)

interface Problem {
  readonly expected: string
  readonly found: string
  readonly way: string
}

export function good(check: CheckName, about: string, found: string): Finding {
  return { check, state: 'good', about, found }
}

export function wrong(check: CheckName, about: string, problem: Problem): Finding {
  return { check, state: 'wrong', about, ...problem }
}

export function warning(check: CheckName, about: string, problem: Problem): Finding {
  return { check, state: 'warning', about, ...problem }
}
