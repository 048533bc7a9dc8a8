import { stringify } from 'yaml'
import { buildDocument, type OpenapiVersion } from './build-document.ts'

/**
 * The OpenAPI document as YAML; the same bytes each time.
 *
 * @example
 * response.type('yaml').send(openapiYaml('3.0'))
 */
export function openapiYaml(version: OpenapiVersion = '3.1'): string {
  return toYaml(buildDocument({ version }))
}

/** Writes a document as YAML, without anchors, which some OpenAPI tools do not support. */
export function toYaml(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}
