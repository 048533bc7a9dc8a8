import { unwrap } from './api-error.ts'

export async function api(path: string, init?: RequestInit) {
  const response = await fetch(`https://api.example.com/api/${path}`, init)
  // A gateway in front of the API uses HTTP statuses.
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return unwrap(await response.json())
}
