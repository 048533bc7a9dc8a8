import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'

const kindsOfFiles: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

/** Serves a folder of files under a path, as a static host does, with a policy for what they may do. */
export async function serveFolder(folder: string, path: string, policy: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host.invalid')
    // Hosts differ: this one needs no slash at the end of a folder.
    const isFolder = pathname === path || `${pathname}/` === path
    const name = isFolder ? 'index.html' : pathname.startsWith(path) ? pathname.slice(path.length) : 'none'
    const file = await readFile(join(folder, name)).catch(() => undefined)
    response.setHeader('content-security-policy', policy)
    if (file === undefined) response.writeHead(404).end()
    else response.setHeader('content-type', kindsOfFiles[extname(name)] ?? 'text/plain').end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
