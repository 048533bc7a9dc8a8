import { findPackage } from '../../files/find-package.ts'

/** Returns the names of packages and all their dependencies, as installed. */
export function packagesBehind(names: readonly string[], from: string): string[] {
  const found = new Set<string>()
  const pending = names.map((name) => ({ name, from }))
  for (const { name, from } of pending) {
    const installed = found.has(name) ? undefined : findPackage(from, name)
    if (installed === undefined) continue
    found.add(name)
    const { dependencies = {}, folder } = installed
    pending.push(...Object.keys(dependencies).map((dependency) => ({ name: dependency, from: folder })))
  }
  return [...found]
}
