import type { EventsOf } from '../event-words.ts'

export const events: EventsOf<'oauth_access_tokens'> = {
  describe({ user_id }, _, model) {
    const user = model.table('users').get(String(user_id))
    return { kind: 'expires', text: `A token of ${user?.username ?? user?.email ?? 'nobody'} expires.` }
  },
}
