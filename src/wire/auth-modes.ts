/** What may be checked of a request: nothing, the API key, or the API key and an OAuth token (`auth-mode`). */
export const authModes = ['open', 'key', 'login'] as const
