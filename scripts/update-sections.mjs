// Writes src/shared/sections.ts: the headings of the document, each with its line. Part of `npm run docs`.
import { readFileSync, writeFileSync } from 'node:fs'

const documentPath = 'docs/spec/pipeline-orchestration-api.md'
const target = 'src/shared/sections.ts'
const entries = readFileSync(documentPath, 'utf8')
  .split('\n')
  .flatMap((text, index) => {
    const heading = /^#{2,3} (.+)$/.exec(text)?.[1]
    if (heading === undefined) return []
    const key = /^[A-Za-z]\w*$/.test(heading) ? heading : `'${heading}'`
    return [`  ${key}: ${index + 1},`]
  })
const text = `/** The headings of the document, each with its line; \`npm run docs\` writes them, a test holds them against it. */
export const sections = {
${entries.join('\n')}
} as const

/** A heading of the document. */
export type Section = keyof typeof sections

/** Where the document stands, from the root of this package. */
export const documentPath = '${documentPath}'
`
writeFileSync(target, text)
