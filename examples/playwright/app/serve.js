// The application's own server, which has no API.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { app } from '../ports.js'

const types = { '/': 'text/html', '/app.js': 'text/javascript' }
createServer(async (request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  if (types[path] === undefined) return response.writeHead(404).end()
  const file = new URL(path === '/' ? 'index.html' : `.${path}`, import.meta.url)
  response.setHeader('content-type', types[path]).end(await readFile(file))
}).listen(app, '127.0.0.1')
