import { unwrap } from './api-error.ts'
import { client } from './generated/hey-api/client.gen.ts'

client.setConfig({ baseUrl: 'https://api.example.com', throwOnError: true })

client.interceptors.response.use(async (response) => {
  unwrap(await response.clone().json())
  return response
})

export { readPipeline } from './generated/hey-api/sdk.gen.ts'
