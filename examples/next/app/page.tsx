import { createPipeline } from './actions'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const reply = await fetch('https://pipelines.example.com/api/pipelines')
  const { pipelines } = (await reply.json()) as { pipelines: { uuid: string }[] }
  return (
    <form action={createPipeline}>
      <p>{pipelines.map(({ uuid }) => uuid).join(', ')}</p>
      <input name="name" aria-label="Name" />
      <button type="submit">Create</button>
    </form>
  )
}
