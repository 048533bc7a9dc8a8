import createClient from 'openapi-fetch'
import { unwrap } from './api-error.ts'
import type { paths } from './generated/paths.ts'

export const client = createClient<paths>({
  baseUrl: 'https://api.example.com',
  // Without it, a client created before `server.listen()` bypasses MSW.
  fetch: (request) => fetch(request),
})

client.use({
  async onResponse({ response }) {
    unwrap(await response.clone().json())
  },
})
