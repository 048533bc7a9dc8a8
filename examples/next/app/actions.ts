'use server'

import { revalidatePath } from 'next/cache'

/** Creates a pipeline of the name that a form has sent; the page of the form is drawn anew. */
export async function createPipeline(form: FormData): Promise<void> {
  const reply = await fetch('https://pipelines.example.com/api/pipelines', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline: { name: form.get('name'), type: 'python' } }),
  })
  // The HTTP status is always 200: what went wrong is in the body.
  const { error } = (await reply.json()) as { error?: { message: string } }
  if (error) throw new Error(error.message)
  revalidatePath('/')
}
