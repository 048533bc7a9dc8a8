import { useCallback, useEffect, useState } from 'react'

const send = async (method, path) => (await fetch(`/api/${path}`, { method })).json()

export function Backfills({ pipeline }) {
  const [backfills, setBackfills] = useState([])
  const [message, setMessage] = useState()

  const load = useCallback(async () => {
    setBackfills((await send('GET', `backfills?pipeline_uuid=${pipeline}`)).backfills)
  }, [pipeline])

  async function remove(id) {
    // The API reports errors under HTTP 200.
    const { error } = await send('DELETE', `backfills/${id}`)
    if (error) setMessage(error.message)
    else await load()
  }

  useEffect(() => {
    load()
  }, [load])

  return (
    <>
      {message && <p role="alert">{message}</p>}
      {backfills.map(({ id, name }) => (
        <li key={id}>
          {name}
          <button type="button" onClick={() => remove(id)}>
            Delete {name}
          </button>
        </li>
      ))}
    </>
  )
}
