import { buildDocument, type OpenapiVersion } from './build-document.ts'

const texts = new Map<OpenapiVersion, string>()

/**
 * The OpenAPI document as JSON; the same bytes each time.
 *
 * @example
 * response.type('json').send(openapiJson('3.1'))
 */
export function openapiJson(version: OpenapiVersion = '3.1'): string {
  let text = texts.get(version)
  if (text === undefined) {
    text = `${JSON.stringify(buildDocument({ version }), null, 2)}\n`
    texts.set(version, text)
  }
  return text
}
