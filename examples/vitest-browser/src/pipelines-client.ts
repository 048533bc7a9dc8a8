/** The requests of an application, independent of the tests. */
export async function listNames(base = 'https://pipelines.example.com'): Promise<string[]> {
  const { pipelines } = await (await fetch(`${base}/api/pipelines`)).json()
  return pipelines.map(({ name }: { name: string }) => name)
}

export async function create(name: string, base = 'https://pipelines.example.com'): Promise<void> {
  const reply = await fetch(`${base}/api/pipelines`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline: { name, type: 'python' } }),
  })
  const { error } = await reply.json()
  // Every reply of this API is HTTP 200.
  if (error) throw new Error(error.message)
}
