// The floor of a proxy: node:http alone, which pipes both bodies.
import { Agent, createServer, request as send } from 'node:http'

const [, , port, target] = process.argv
const { hostname, port: targetPort } = new URL(target)
const agent = new Agent({ keepAlive: true })

createServer((request, response) => {
  const { method, url: path, headers } = request
  const outgoing = send({ agent, hostname, port: targetPort, method, path, headers }, (incoming) => {
    response.writeHead(incoming.statusCode, incoming.headers)
    incoming.pipe(response)
  })
  request.pipe(outgoing)
}).listen(Number(port), '127.0.0.1')
