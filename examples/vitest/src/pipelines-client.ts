/** The requests of an application, independent of the tests. */
const api = 'https://pipelines.example.com/api'

export async function listNames(): Promise<string[]> {
  const { pipelines } = await (await fetch(`${api}/pipelines`)).json()
  return pipelines.map(({ name }: { name: string }) => name)
}

export async function create(name: string): Promise<void> {
  const reply = await fetch(`${api}/pipelines`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline: { name, type: 'python' } }),
  })
  const { error } = await reply.json()
  // Every reply of this API is HTTP 200.
  if (error) throw new Error(error.message)
}
