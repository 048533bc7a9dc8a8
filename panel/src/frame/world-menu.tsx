import { Layers2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Fixture } from '../../../src/factories/fixture-type.ts'
import { worldNamePattern, worldNameRule } from '../../../src/shared/world-name.ts'
import { ActButton } from '../parts/act-button.tsx'
import { saveFile } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Act, act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { countOf, signedOutWords } from '../store/words.ts'
import { Menu } from './menu.tsx'

/** Which world one looks at, and what can be done with it as a whole. */
export function WorldMenu({ icon }: { readonly icon: ComponentChildren }) {
  const { live, runner, copy } = usePanel()
  const [snapshots, setSnapshots] = useState<readonly string[]>([])
  const world = live.world.value
  const look = async () => {
    live.refresh('worlds')
    setSnapshots((await live.of.snapshots()).filter((each) => !each.startsWith('before-the-last')))
  }
  const go = (next: string) => {
    live.world.value = next
  }
  const refuse = (text: string) => {
    runner.said.value = { text, isError: true }
  }
  const open = async (name: string, text: string) => {
    const fixture = readFixture(text)
    if (fixture === undefined) refuse(`${name} is not JSON.`)
    else await runner.perform(act('import', fixture), `${name} is opened.`)
  }
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => undefined)
    if (text === undefined) refuse('The browser does not let this page read what was copied: open a file.')
    else await open('What was copied', text)
  }
  const begin = async (file: string, text: string) => {
    const fixture = readFixture(text)
    if (fixture === undefined) return refuse(`${file} is not JSON.`)
    const name =
      file
        .replace(/\.json$/, '')
        .replaceAll(/[^\w-]+/g, '-')
        .replace(/^[-_]+/, '')
        .slice(0, 64) || 'opened'
    const outcome = await runner.perform(act('worlds.create', name, { fixture }), `World ${name} is there.`)
    if ('value' in outcome) go(name)
  }
  return (
    <Menu
      label={`World ${world}`}
      as="world-button"
      opened={() => void look()}
      button={
        <>
          <Icon of={Layers2} />
          <b class="cut">{world}</b>
          {icon}
        </>
      }
    >
      {(close) => (
        <>
          <h2>Worlds</h2>
          <ul class="menu-list">
            {live.worlds.value.map((each) => (
              <li key={each.name}>
                <button
                  type="button"
                  aria-pressed={each.name === world}
                  onClick={() => {
                    go(each.name)
                    close()
                  }}
                >
                  <span class="cut">{each.name}</span>
                  <span class="count">{countOf(each.requests, 'request')}</span>
                </button>
              </li>
            ))}
          </ul>
          <NameForm
            label="Name of a new world"
            placeholder="a new world"
            pattern={worldNamePattern}
            title={worldNameRule}
            button="New"
            does={(name) => act('worlds.create', name)}
            says={(name) => `World ${name} is there.`}
            done={(name) => {
              go(name)
              close()
            }}
          />
          <div class="menu-acts">
            <FileButton label="Fixture of a new world" take={(name, text) => begin(name, text).then(close)}>
              New from a fixture…
            </FileButton>
          </div>
          <h2>This world</h2>
          <div class="menu-acts">
            <ActButton as="small" does={act('reset')} says="Reset to the fixture." done={close}>
              Reset
            </ActButton>
            <button
              type="button"
              class="button small"
              onClick={async () => saveFile(`${world}.json`, JSON.stringify(await live.of.export(), null, 2))}
            >
              Export
            </button>
            <FileButton label="Open a fixture" take={(name, text) => open(name, text).then(close)}>
              Open…
            </FileButton>
            <button
              type="button"
              class="button small"
              onClick={async () => copy(JSON.stringify(await live.of.export(), null, 2), 'the state')}
            >
              Copy
            </button>
            <button type="button" class="button small" onClick={() => paste().then(close)}>
              Paste
            </button>
            <ActButton as="small" does={act('signOut')} says={signedOutWords} done={close}>
              Sign everybody out
            </ActButton>
            {world !== 'main' && (
              <button
                type="button"
                class="button small"
                onClick={async () => {
                  const outcome = await runner.perform(act('worlds.delete', world), `World ${world} is gone.`)
                  if ('value' in outcome) go('main')
                  close()
                }}
              >
                Delete
              </button>
            )}
          </div>
          <h2>Kept states</h2>
          {snapshots.length > 0 && (
            <ul class="menu-list">
              {snapshots.map((snapshot) => (
                <li key={snapshot}>
                  <ActButton
                    as="plain"
                    does={act('restore', snapshot)}
                    says={`Went back to ${snapshot}.`}
                    done={close}
                  >
                    Go back to {snapshot}
                  </ActButton>
                </li>
              ))}
            </ul>
          )}
          <NameForm
            label="Name to keep this state under"
            placeholder="a name for this state"
            button="Keep"
            does={(name) => act('snapshot', name)}
            says={(name) => `Kept as ${name}.`}
            done={() => void look()}
          />
        </>
      )}
    </Menu>
  )
}

/** A name, and what is done with it; once it is done, the field is empty again. */
function NameForm({
  label,
  button,
  does,
  says,
  done,
  ...field
}: {
  readonly label: string
  readonly button: string
  readonly placeholder: string
  readonly pattern?: string
  readonly title?: string
  readonly does: (name: string) => Act
  readonly says: (name: string) => string
  readonly done: (name: string) => void
}) {
  const { runner } = usePanel()
  const [name, setName] = useState('')
  return (
    <form
      class="menu-form"
      onSubmit={async (event) => {
        event.preventDefault()
        const outcome = await runner.perform(does(name), says(name))
        if (!('value' in outcome)) return
        setName('')
        done(name)
      }}
    >
      <label>
        <span class="hidden">{label}</span>
        <input {...field} value={name} required onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button small">
        {button}
      </button>
    </form>
  )
}

/** Asks for a file, and hands its name and text on. */
function FileButton({
  label,
  take,
  children,
}: {
  readonly label: string
  readonly take: (name: string, text: string) => unknown
  readonly children: string
}) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class="button small" onClick={() => file.current?.click()}>
        {children}
      </button>
      <input
        ref={file}
        type="file"
        accept=".json"
        class="hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={async (event) => {
          const [chosen] = event.currentTarget.files ?? []
          const text = await chosen?.text()
          if (file.current !== null) file.current.value = ''
          if (chosen !== undefined && text !== undefined) take(chosen.name, text)
        }}
      />
    </>
  )
}

function readFixture(text: string): Fixture | undefined {
  try {
    return JSON.parse(text) as Fixture
  } catch {
    return undefined
  }
}
