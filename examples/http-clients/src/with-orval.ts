import { unwrap } from './api-error.ts'

/** Sends every request of the functions that Orval generates. */
export async function request<Reply>(path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(new URL(path, 'https://api.example.com'), init)
  const data = unwrap(await response.json())
  return { data, status: response.status, headers: response.headers } as Reply
}
