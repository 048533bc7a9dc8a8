async function show() {
  const reply = await (await fetch('/api/pipelines', { headers: { 'X-API-KEY': 'my-key' } })).json()
  for (const { name } of reply.pipelines) {
    const item = document.createElement('li')
    item.textContent = name
    document.querySelector('ul').append(item)
  }
}

show()
