import { render } from 'preact'
import { useState } from 'preact/hooks'
import { createClient } from '../../src/admin/client/create-client.ts'
import { Frame } from './frame/frame.tsx'
import { mountAt } from './mount.tsx'
import { ownServer } from './own-server.ts'
import sheet from './styles/index.css'

/** The page at `/` of a server: the panel over a client of the server it came from. */
const styles = new CSSStyleSheet()
styles.replaceSync(`${sheet} body { margin: 0 }`)
document.adoptedStyleSheets = [styles]
const base = ownServer()
const tokenName = 'understudy-admin-token'
const { needsToken } = document.documentElement.dataset
const start = (adminToken?: string) => {
  const client = createClient(base, { makesWorlds: false, ...(adminToken !== undefined && { adminToken }) })
  const docs = new URL('docs', document.baseURI).href
  return mountAt(base, client, { element: document.body }, <Frame />, docs)
}

/** Shows a form for the admin token of the server. */
function TokenForm() {
  const [refused, setRefused] = useState('')
  return (
    <form
      class="panel ask"
      onSubmit={async (event) => {
        event.preventDefault()
        const token = String(new FormData(event.currentTarget).get('token'))
        try {
          await createClient(base, { adminToken: token }).worlds.list()
        } catch {
          return setRefused('The server does not take this token. It is what --admin-token was given.')
        }
        sessionStorage.setItem(tokenName, token)
        render(null, document.body)
        start(token)
      }}
    >
      <h1 class="title">understudy</h1>
      <label>
        Admin token
        <input class="input" name="token" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit" class="button primary">
        Open
      </button>
      <p class="fail" role="alert">
        {refused}
      </p>
    </form>
  )
}

if (needsToken === undefined) start()
else {
  const adminToken = sessionStorage.getItem(tokenName) ?? ''
  const works = adminToken === '' ? Promise.reject() : createClient(base, { adminToken }).worlds.list()
  works.then(
    () => start(adminToken),
    () => render(<TokenForm />, document.body),
  )
}
