'use client'

import { useEffect, useState } from 'react'

/** The pipelines, asked for by the browser. */
export function PipelineList() {
  const [uuids, setUuids] = useState<string[]>([])
  useEffect(() => {
    void fetch('https://pipelines.example.com/api/pipelines')
      .then((reply) => reply.json())
      .then(({ pipelines }: { pipelines: { uuid: string }[] }) => setUuids(pipelines.map(({ uuid }) => uuid)))
  }, [])
  return (
    <ul>
      {uuids.map((uuid) => (
        <li key={uuid}>{uuid}</li>
      ))}
    </ul>
  )
}
