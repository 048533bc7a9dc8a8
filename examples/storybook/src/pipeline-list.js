/** A list of pipelines and a button, on an API that is somewhere. */
export function createPipelineList(baseUrl = '') {
  const list = document.createElement('ul')
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Create' })
  const problem = document.createElement('p')
  problem.setAttribute('role', 'alert')

  async function ask(init) {
    const reply = await (await fetch(`${baseUrl}/api/pipelines`, init)).json()
    // Every reply has HTTP status 200: what went wrong is in the body.
    problem.textContent = reply.error?.message ?? ''
    return reply
  }

  async function load() {
    const { pipelines = [] } = await ask()
    list.replaceChildren(
      ...pipelines.map(({ name }) => Object.assign(document.createElement('li'), { textContent: name })),
    )
  }

  button.addEventListener('click', async () => {
    await ask({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pipeline: { name: 'weekly sales', type: 'python' } }),
    })
    await load()
  })
  void load()
  const element = document.createElement('section')
  element.append(list, button, problem)
  return element
}
