import { stringify } from 'yaml'
import { isObject } from '../shared/is-object.ts'
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
    text = toYaml(buildDocument({ version }))
    texts.set(version, text)
  }
  return text
}

/** Writes a document as YAML; repeated parts stand in full, since not every reader of OpenAPI knows anchors. */
export function toYaml(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/** How deep in a document its parts stand that are written each by itself: paths, tags, and components of a kind. */
const deepest = 2

/** The same, part by part. */
export function* yamlPieces(document: object, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth)
  const isList = Array.isArray(document)
  for (const [name, part] of Object.entries(document)) {
    const isCut =
      !isList && depth < deepest && (isObject(part) || Array.isArray(part)) && Object.keys(part).length > 0
    const text = toYaml(isList ? [part] : { [name]: isCut ? null : part }).replaceAll(/^(?=.)/gm, indent)
    yield isCut ? text.replace(/ null\n$/, '\n') : text
    if (isCut) yield* yamlPieces(part, depth + 1)
  }
}
