import { useCallback, useEffect, useState } from 'react'

/** A list of pipelines and a button, on an API that is somewhere. */
export function PipelineList({ baseUrl = '' }) {
  const [pipelines, setPipelines] = useState([])
  const [problem, setProblem] = useState('')

  const ask = useCallback(
    async (init) => {
      const reply = await (await fetch(`${baseUrl}/api/pipelines`, init)).json()
      // Every reply has HTTP status 200: what went wrong is in the body.
      setProblem(reply.error?.message ?? '')
      return reply
    },
    [baseUrl],
  )
  const load = useCallback(async () => setPipelines((await ask()).pipelines ?? []), [ask])
  useEffect(() => void load(), [load])

  async function create() {
    await ask({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pipeline: { name: 'weekly sales', type: 'python' } }),
    })
    await load()
  }

  return (
    <section>
      <ul>
        {pipelines.map(({ uuid, name }) => (
          <li key={uuid}>{name}</li>
        ))}
      </ul>
      <button type="button" onClick={create}>
        Create
      </button>
      <p role="alert">{problem}</p>
    </section>
  )
}
