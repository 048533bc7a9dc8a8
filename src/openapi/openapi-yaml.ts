import { buildDocument, type OpenapiVersion } from './build-document.ts'

const texts = new Map<OpenapiVersion, string>()

/**
 * The OpenAPI document as YAML; the same bytes each time.
 *
 * @example
 * response.type('yaml').send(openapiYaml('3.0'))
 */
export function openapiYaml(version: OpenapiVersion = '3.1'): string {
  let text = texts.get(version)
  if (text === undefined) {
    text = `${toYaml(buildDocument({ version }), '').trimStart()}\n`
    texts.set(version, text)
  }
  return text
}

/** Texts that need no quotes and that no reader of YAML takes for anything but a text. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z](?:[\w ,./()-]*[\w.)])?$/i
const severalLines = /^[^\s](?:.*\n)+.*[^\s]$/

/** Writes a JSON value as YAML, from the place after its key or dash on; what YAML could misread stands as JSON. */
function toYaml(value: unknown, indent: string): string {
  if (typeof value === 'string') return toScalar(value, indent)
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return ` ${JSON.stringify(value)}`
  if (Array.isArray(value)) {
    return value.map((item) => `\n${indent}-${toYaml(item, `${indent}  `).replace(/^\n +/, ' ')}`).join('')
  }
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => `\n${indent}${quoteUnlessPlain(key)}:${toYaml(inner, `${indent}  `)}`)
    .join('')
}

function toScalar(text: string, indent: string): string {
  if (!severalLines.test(text)) return ` ${quoteUnlessPlain(text)}`
  return ` |-\n${text.replaceAll(/^(?=.)/gm, indent)}`
}

function quoteUnlessPlain(text: string): string {
  return plain.test(text) ? text : JSON.stringify(text)
}
