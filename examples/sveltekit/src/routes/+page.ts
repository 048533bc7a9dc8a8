import type { PageLoad } from './$types'

/** Runs on the server for the first page, and in the browser afterwards. */
export const load: PageLoad = async ({ fetch }) => {
  const { pipelines } = await (await fetch('/api/pipelines')).json()
  return { names: pipelines.map(({ name }: { name: string }) => name) as string[] }
}
