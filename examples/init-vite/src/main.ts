// The line that `init` prints for the page.
if (import.meta.env.DEV) await (await import('./mocks/browser')).startMocking()

const reply = await fetch('/api/pipelines')
const { pipelines } = (await reply.json()) as { pipelines: { name: string }[] }
for (const { name } of pipelines)
  document.querySelector('ul')?.append(Object.assign(document.createElement('li'), { textContent: name }))
