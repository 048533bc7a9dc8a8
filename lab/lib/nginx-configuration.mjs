// The configuration in docs/scale-out/nginx.conf, from which all others are derived.
import { readFileSync } from 'node:fs'

const source = new URL('../../docs/scale-out/nginx.conf', import.meta.url)

/** The documented configuration with other servers, and other replacements; a part that is not found is an error. */
export function nginxConfiguration(servers, replacements = []) {
  const lines = servers.map((server) => `    server ${server} max_fails=0;\n`).join('')
  return [[/(?: {4}server \S+ max_fails=0;\n)+/, lines], ...replacements].reduce(
    (before, [pattern, replacement]) => {
      const after = before.replace(pattern, replacement)
      if (after === before) throw new Error(`${source.pathname} has nothing like ${pattern}.`)
      return after
    },
    readFileSync(source, 'utf8'),
  )
}
