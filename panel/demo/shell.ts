import { createClient } from '../../src/admin/client/create-client.ts'
import type { Fixture } from '../../src/factories/fixture-type.ts'
import { defaultUrl } from '../../src/shared/addresses.ts'
import { messageOf } from '../../src/shared/built-ins.ts'
import { UnderstudyError } from '../../src/shared/understudy-error.ts'
import { mountPanel } from '../src/index.ts'
import { Line } from './line.ts'
import { readLink, writeLink } from './link.ts'
import type { Port } from './messages.ts'
import { allowOneScript } from './one-script.ts'

declare global {
  interface Window {
    understudyDemo?: Shell
  }
}

/** Members of the demo page for the app in its frame. */
export interface Shell {
  readonly base: string
  /** Opens another connection to the mock. */
  openPort(): Port
}

const base = new URL('.', import.meta.url).href
const { host: hostName = '', hostWorker = '' } = document.documentElement.dataset

function find(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no ${id}.`)
  return found
}

/** The name of the snapshot from before opening a link. */
const stateBeforeLink = 'before-the-link'
const placeKey = `understudy-demo ${new URL(base).pathname}`

allowOneScript(new URL(hostWorker, base).href)
const shell: Shell = { base, openPort: createPorts() }
window.understudyDemo = shell
const line = new Line(shell.openPort(), (text) => showNote(text))
const understudy = createClient(base, { fetch: line.fetchBelow(base) })

await openLink()
// Copied commands name a server, since no other program can send requests to this page.
mountPanel(understudy, { element: find('panel'), height: '100%', origin: defaultUrl })
openApp()
window.addEventListener('hashchange', () => void openLink())
find('copy-link').addEventListener('click', () => void copyLink())
find('start-over').addEventListener('click', () => void startOver())
for (const side of ['app', 'panel'] as const) {
  const button = find(`show-${side}`)
  button.addEventListener('click', () => {
    document.body.dataset.side = side
    for (const other of ['app', 'panel'])
      find(`show-${other}`).setAttribute('aria-pressed', String(other === side))
  })
}

/** Connects to the mock: in a worker that all tabs share, or in this page if the browser has no such workers. */
function createPorts(): () => Port {
  if (typeof SharedWorker === 'function') {
    const url = new URL(hostWorker, base).href
    return () => {
      const worker = new SharedWorker(url, { type: 'module', name: 'understudy' })
      worker.onerror = () => showNote('The mock did not start. Reload the page.')
      return worker.port
    }
  }
  const host = import(new URL(hostName, base).href).then(
    ({ Host }: typeof import('./host.ts')) => new Host(base),
  )
  return () => {
    const { port1, port2 } = new MessageChannel()
    void host.then((host) => host.connect(port2))
    return port1
  }
}

/** Opens the state in the URL, and removes it from there, so that it is opened once. */
async function openLink(): Promise<void> {
  const { hash } = location
  if (!/^#(?:scenario|state)=/.test(hash)) return
  history.replaceState(null, '', location.pathname + location.search)
  try {
    const linked = await readLink(hash)
    if (linked === undefined) return
    await understudy.snapshot(stateBeforeLink)
    await understudy.scenarios.start('name' in linked ? linked.name : linked.scenario)
    const what =
      'name' in linked
        ? `The scenario ${linked.name} was opened by the link.`
        : 'This state came from the link. The author of the link wrote its records, so do not trust their content.'
    showResult(what, { label: 'Restore my state', act: goBack })
  } catch (error) {
    showResult(`${reasonOf(error)} Nothing was changed.`)
  }
}

async function copyLink(): Promise<void> {
  try {
    const link = await writeLink(base, understudy)
    await navigator.clipboard.writeText(link)
    showResult(
      `Copied a link of ${link.length} characters. It contains all records, the clock and the faults.`,
    )
  } catch (error) {
    showResult(
      error instanceof UnderstudyError ? reasonOf(error) : 'The browser does not allow this page to copy.',
    )
  }
}

/** Restores the state before the link; if it can no longer be undone, at least the records. */
async function goBack(): Promise<void> {
  const isBack = await understudy.undo().then(
    (act) => act === 'scenario',
    () => false,
  )
  if (!isBack) await understudy.restore(stateBeforeLink)
}

async function startOver(): Promise<void> {
  await understudy.snapshot(stateBeforeLink)
  // The clock shows the time of this machine, as at the first visit, not that of the fixture.
  const first: Fixture = await (await fetch(new URL('fixture.json', base))).json()
  const { clock: _, ...fixture } = first
  await understudy.scenarios.start({ description: 'The first state.', fixture })
  showResult('The demo was reset.', { label: 'Undo', act: goBack })
}

/** Shows the app at its place before a reload. */
function openApp(): void {
  const frame = find('app')
  if (!(frame instanceof HTMLIFrameElement)) return
  const place = sessionStorage.getItem(placeKey) ?? ''
  frame.addEventListener('load', () => void cacheFiles())
  window.addEventListener('pagehide', () => {
    sessionStorage.setItem(placeKey, frame.contentWindow?.location.hash ?? '')
  })
  frame.src = new URL(`app/index.html${place.startsWith('#') ? place : ''}`, base).href
}

/** Makes the service worker store all files after the first view has loaded. */
async function cacheFiles(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.ready
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => {
    if (data === true) find('offline').hidden = false
  }
  active?.postMessage('KEEP_OFFLINE', [port2])
}

interface NoteButton {
  readonly label: string
  act(): unknown
}

/** Shows the result of an action in place of the previous one. */
function showResult(text: string, button?: NoteButton): void {
  find('notes').querySelector('.result')?.remove()
  showNote(text, button).classList.add('result')
}

function showNote(text: string, extra?: NoteButton): HTMLElement {
  const note = document.createElement('div')
  note.className = 'row wrap note'
  const words = document.createElement('p')
  words.className = 'cue breaks'
  words.textContent = text
  note.append(words)
  const close: NoteButton = { label: 'Close', act: () => undefined }
  for (const { label, act } of extra === undefined ? [close] : [extra, close]) {
    const button = document.createElement('button')
    button.className = 'button'
    button.textContent = label
    button.addEventListener('click', async () => {
      await act()
      note.remove()
    })
    note.append(button)
  }
  find('notes').append(note)
  return note
}

function reasonOf(error: unknown): string {
  if (!(error instanceof UnderstudyError)) return messageOf(error)
  const [flaw] = error.flaws
  const hasPlace = flaw === undefined || error.detail.includes(flaw.path)
  return hasPlace
    ? error.detail
    : `${error.detail} At ${flaw.path}: expected ${flaw.expected}; found ${flaw.found}.`
}
