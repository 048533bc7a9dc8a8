import type { Route } from './+types/home'

export async function loader({ request }: Route.LoaderArgs) {
  const reply = await fetch(new URL('/api/pipelines', request.url))
  return (await reply.json()) as { pipelines: { uuid: string; name: string }[] }
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return (
    <ul>
      {loaderData.pipelines.map(({ uuid, name }) => (
        <li key={uuid}>{name}</li>
      ))}
    </ul>
  )
}
