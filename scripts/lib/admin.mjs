// The admin API as the scripts use it: all that has to change when it does.

const base = '/__understudy__/api'

/** The worlds of a server, arranged through its admin API; each call throws where it is refused. */
export function createAdmin(client) {
  async function call(method, path, json) {
    const { status, body } = await client.send(method, `${base}${path}`, { json })
    if (status >= 200 && status < 300) return body
    throw new Error(`Admin API: ${method} ${base}${path} answered HTTP ${status}: ${JSON.stringify(body)}`)
  }
  const of = (world) => `/worlds/${encodeURIComponent(world)}`
  return {
    /** Whether the server has this API at all. */
    async exists() {
      const { status } = await client.send('GET', `${base}/health`)
      return status === 200
    },
    worlds: async () => {
      const { worlds } = await call('GET', '/worlds')
      return worlds.map((world) => world.name ?? world)
    },
    remove: (world) => call('DELETE', of(world)),
    reset: (world) => call('POST', `${of(world)}/reset`),
    snapshot: (world, name) => call('PUT', `${of(world)}/snapshots/${name}`),
    restore: (world, name) => call('POST', `${of(world)}/snapshots/${name}/restore`),
    addFault: (world, fault) => call('POST', `${of(world)}/faults`, fault),
    clearFaults: (world) => call('DELETE', `${of(world)}/faults`),
  }
}

/** Forgets what requests have created, so that only what leaks stays in memory. */
export async function forgetAll(client, admin) {
  if (admin !== undefined) {
    for (const world of await admin.worlds()) await (world === 'main' ? admin.reset : admin.remove)(world)
    return
  }
  // Without the admin API: by the documented one, where what a pipeline owns goes with it.
  const { body } = await client.send('GET', '/api/pipelines')
  for (const { uuid } of body.pipelines)
    await client.send('DELETE', `/api/pipelines/${encodeURIComponent(uuid)}`)
}
