import type { Profile } from './define-profile.ts'
import { mageAi0979 } from './mage-ai/profile.ts'

/**
 * Profiles that ship, by name.
 *
 * @example
 * createUnderstudy({ profile: profiles['mage-ai-0.9.79']! })
 */
export const profiles: Readonly<Record<string, Profile>> = { [mageAi0979.name]: mageAi0979 }

export { mageAi0979, type Profile }
