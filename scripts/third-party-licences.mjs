// Collects the license notices of bundled packages, which licenses such as MIT require.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Returns the folders of the packages in a bundle, from esbuild's metafiles and the module paths of another
 * bundler.
 */
export function packagesOf(metafiles, modules = []) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
    ),
  )
  const folders = [...inputs, ...modules.map((path) => relative('.', path))].flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  )
  return [...new Set(folders)].sort()
}

/**
 * Returns the notices of packages, one text for all that share it; throws if a package has none.
 *
 * @param {readonly string[]} folders
 */
export function noticesOf(folders) {
  const byText = new Map()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text =
      file === undefined
        ? `${license}: the package brings no text of its own.`
        : readFileSync(join(folder, file), 'utf8')
    if (license === undefined && file === undefined) throw new Error(`${name} says no licence.`)
    const key = text.trim()
    byText.set(key, [...(byText.get(key) ?? []), `${name} ${version} (${license})`])
  }
  const notices = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return `This package carries code of others.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`
}
