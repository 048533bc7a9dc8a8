export const dynamic = 'force-dynamic'

export default async function Page() {
  const reply = await fetch('https://pipelines.example.com/api/pipelines')
  const { pipelines } = (await reply.json()) as { pipelines: { uuid: string }[] }
  return <p>{pipelines.map(({ uuid }) => uuid).join(', ')}</p>
}
