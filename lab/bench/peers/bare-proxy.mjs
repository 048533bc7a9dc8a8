// The floor of a proxy: node:http alone, which pipes both bodies.
import { Agent, createServer, request as send } from 'node:http'

const { hostname, port } = new URL(process.argv[2])
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { method, url: path, headers } = request
  const outgoing = send({ agent, hostname, port, method, path, headers }, (incoming) => {
    response.writeHead(incoming.statusCode, incoming.headers)
    incoming.pipe(response)
  })
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
