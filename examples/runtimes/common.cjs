const { createUnderstudy } = require('pipeline-understudy')

async function main() {
  const { fetch } = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
  const reply = await fetch('http://localhost/api/pipelines')
  console.log((await reply.json()).pipelines[0].uuid)
}

main()
