import { buildDocument, type OpenapiVersion } from './build-document.ts'

/**
 * The OpenAPI document as JSON; the same bytes each time.
 *
 * @example
 * response.type('json').send(openapiJson('3.1'))
 */
export function openapiJson(version: OpenapiVersion = '3.1'): string {
  return `${JSON.stringify(buildDocument({ version }), null, 2)}\n`
}
