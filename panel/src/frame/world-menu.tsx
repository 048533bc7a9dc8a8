import { ChevronDown, Layers2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { type Fixture, tryParseJson, worldHeader } from '../library.ts'
import {
  ActButton,
  Button,
  CopyButton,
  FilterField,
  Growing,
  Icon,
  Menu,
  NameForm,
  saveFile,
} from '../parts/index.ts'
import { type Act, act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { type ActRunner, ownSnapshots } from '../store/runner.ts'
import { useQuery, useWorlds } from '../store/use-query.ts'
import { countOf, signedOutWords } from '../store/words.ts'

/** Chooses the world, and offers what can be done with it as a whole. */
export function WorldMenu() {
  const { live } = usePanel()
  const world = live.world.value
  const button = (
    <>
      <Icon of={Layers2} />
      <b class="cut">{world}</b>
      <Icon of={ChevronDown} tone="push" />
    </>
  )
  return (
    <Menu label={`World ${world}`} as="row input" button={button}>
      {(close) => (
        <>
          <Worlds close={close} />
          <ThisWorld close={close} />
          <Snapshots close={close} />
        </>
      )}
    </Menu>
  )
}

/** A list of so many worlds needs no filter. */
const mostWithoutFilter = 8

interface PartProps {
  readonly close: () => void
}

function Worlds({ close }: PartProps) {
  const { live, runner } = usePanel()
  const worlds = useWorlds()
  const [text, setText] = useState('')
  const go = (name: string) => {
    live.world.value = name
    close()
  }
  const open = async (file: string, text: string) => {
    const name = nameOfWorld(file)
    const create = (fixture: Fixture) => act('worlds.create', name, { fixture })
    const isDone = await performWith(runner, file, text, create, `World ${name} created.`)
    if (isDone) go(name)
    else close()
  }
  return (
    <>
      <h2>Worlds</h2>
      {worlds.length > mostWithoutFilter && (
        <FilterField of="worlds" placeholder="name" value={text} write={setText} />
      )}
      <ul class="menu-list">
        <Growing
          items={worlds.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))}
          row={({ name, requests }) => (
            <li key={name}>
              <button type="button" aria-pressed={name === live.world.value} onClick={() => go(name)}>
                <span class="cut">{name}</span>
                <span class="count">{countOf(requests, 'request')}</span>
              </button>
            </li>
          )}
          end={(place) => <li ref={place}>…</li>}
        />
      </ul>
      <NameForm
        label="Name of a new world"
        placeholder="a new world"
        isWorld
        button="New"
        does={(name) => act('worlds.create', name)}
        message={(name) => `World ${name} created.`}
        done={go}
      />
      <div class="acts menu-acts">
        <FileButton label="Fixture of a new world" take={open}>
          New from a fixture…
        </FileButton>
      </div>
    </>
  )
}

function ThisWorld({ close }: PartProps) {
  const { live, runner, copy } = usePanel()
  const world = live.world.value
  const header = `${worldHeader}: ${world}`
  const open = async (name: string, text: string) => {
    await performWith(runner, name, text, (fixture) => act('import', fixture), `Opened ${name}.`)
    close()
  }
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => undefined)
    if (text !== undefined) return open('The clipboard', text)
    runner.refuse('The browser does not allow this page to read the clipboard: open a file.')
    close()
  }
  const exported = async () => JSON.stringify(await live.of.export(), null, 2)
  const remove = async () => {
    const outcome = await runner.perform(act('worlds.delete', world), `World ${world} deleted.`)
    if ('value' in outcome) live.world.value = 'main'
    close()
  }
  return (
    <>
      <h2>This world</h2>
      <p class="row breaks menu-note lesser">
        {world === 'main' ? (
          'Requests without a header select it.'
        ) : (
          <>
            Select it with
            <code>{header}</code>
            <CopyButton text={() => header} what="the header" as="small bare" />
          </>
        )}
      </p>
      <div class="acts menu-acts">
        <ActButton as="small" does={act('reset')} message="Reset to the fixture." done={close}>
          Reset
        </ActButton>
        <Button as="small" onClick={async () => saveFile(`${world}.json`, await exported())}>
          Export
        </Button>
        <FileButton label="Open a fixture" take={open}>
          Open…
        </FileButton>
        <Button as="small" onClick={async () => copy(await exported(), 'the state')}>
          Copy
        </Button>
        <Button as="small" onClick={paste}>
          Paste
        </Button>
        <ActButton as="small" does={act('signOut')} message={signedOutWords} done={close}>
          Sign out all users
        </ActButton>
        {world !== 'main' && (
          <Button as="small" onClick={remove}>
            Delete
          </Button>
        )}
      </div>
    </>
  )
}

function Snapshots({ close }: PartProps) {
  const snapshots = ownSnapshots(useQuery('snapshots', [], (of) => of.snapshots()) ?? [])
  return (
    <>
      <h2>Snapshots</h2>
      <ul class="menu-list">
        {snapshots.map((name) => (
          <li key={name}>
            <ActButton
              as="plain"
              does={act('restore', name)}
              message={`Snapshot ${name} restored.`}
              done={close}
            >
              Restore {name}
            </ActButton>
          </li>
        ))}
      </ul>
      <NameForm
        label="Name of a new snapshot"
        placeholder="a new snapshot"
        button="Save"
        does={(name) => act('snapshot', name)}
        message={(name) => `Snapshot ${name} saved.`}
      />
    </>
  )
}

interface FileButtonProps {
  readonly label: string
  readonly take: (name: string, text: string) => unknown
  readonly children: string
}

/** Asks for a file, and hands its name and text on. */
function FileButton({ label, take, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const read = async () => {
    const [chosen] = input.current?.files ?? []
    if (chosen === undefined) return
    const text = await chosen.text()
    if (input.current !== null) input.current.value = ''
    await take(chosen.name, text)
  }
  return (
    <>
      <Button as="small" onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json"
        class="hidden"
        tabIndex={-1}
        aria-label={label}
        onChange={read}
      />
    </>
  )
}

/** Makes a name for a world of that of a file. */
function nameOfWorld(file: string): string {
  const words = file.replace(/\.json$/, '').replaceAll(/[^\w-]+/g, '-')
  return words.replace(/^[-_]+/, '').slice(0, 64) || 'opened'
}

/** Performs an action with the fixture that a text contains; returns whether it was done. */
async function performWith(
  runner: ActRunner,
  name: string,
  text: string,
  actOf: (fixture: Fixture) => Act,
  message: string,
): Promise<boolean> {
  const fixture = tryParseJson(text)
  if (fixture === undefined) runner.refuse(`${name} is not JSON.`)
  else return 'value' in (await runner.perform(actOf(Object(fixture)), message))
  return false
}
