import * as limits from './limits.ts'

const notLetterOrDigit = /[^\p{L}\p{N}]/gu

/**
 * Derives the uuid of a pipeline or block from its name: hyphens and spaces become underscores (the
 * specification, "Pipeline" and "Block"). So do other characters, and letters become lower case
 * (`pipeline-uuid-rule`).
 *
 * @example
 * toUuid('Load-users 2') // 'load_users_2'
 */
export function toUuid(name: string, rule: 'as named' | 'letter first' = 'as named'): string {
  const uuid = name.slice(0, limits.uuid).toLowerCase().replace(notLetterOrDigit, '_')
  return rule === 'letter first' && /^\d/.test(uuid) ? `letter_${uuid}` : uuid
}
