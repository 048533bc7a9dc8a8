export { buildDocument, type DocumentOptions, type OpenapiVersion } from './build-document.ts'
export { openapiJson } from './openapi-json.ts'
export { openapiYaml } from './openapi-yaml.ts'
