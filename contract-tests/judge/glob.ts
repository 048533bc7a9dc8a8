/** Tells whether a rule id fits a glob, in which `*` stands for any text. */
export function matchesGlob(id: string, glob: string): boolean {
  const pattern = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`).test(id)
}
