// It knows nothing of the tests. `?api=` says where the API is, as a build's configuration might.
const api = new URLSearchParams(location.search).get('api') ?? ''
const form = document.querySelector('form')

async function ask(init) {
  try {
    const reply = await (await fetch(`${api}/api/pipelines`, init)).json()
    // Every reply has HTTP status 200: what went wrong is in the body.
    show(reply.error?.message ?? '')
    return reply
  } catch {
    show('The connection is lost.')
    return {}
  }
}

function show(problem) {
  document.querySelector('[role=alert]').textContent = problem
}

async function load() {
  const { pipelines = [] } = await ask()
  const items = pipelines.map(({ name }) =>
    Object.assign(document.createElement('li'), { textContent: name }),
  )
  document.querySelector('ul').replaceChildren(...items)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { error } = await ask({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ pipeline: { name: form.elements.name.value, type: 'python' } }),
  })
  if (error === undefined) await load()
})
await load()
