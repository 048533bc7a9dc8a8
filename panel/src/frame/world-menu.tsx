import { ChevronDown, Layers2 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { tryParseJson, worldHeader } from '../library.ts'
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
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import type { Action, ActRunner } from '../store/runner.ts'
import { useSnapshots, useWorlds } from '../store/use-query.ts'
import { countOf, signedOutWords } from '../store/words.ts'

interface PartProps {
  readonly close: () => void
}

/** Chooses the world, and offers what can be done with it as a whole. */
export function WorldMenu() {
  const { live } = usePanel()
  const world = live.world.value
  const button = (
    <>
      <Icon of={Layers2} />
      <b class="cut stretch">{world}</b>
      <Icon of={ChevronDown} />
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

function Worlds({ close }: PartProps) {
  const { live } = usePanel()
  const worlds = useWorlds()
  const [text, setText] = useState('')
  const go = (name: string) => {
    live.world.value = name
    close()
  }
  const creation = (name: string, fixture?: object) => ({
    does: act('worlds.create', name, ...(fixture === undefined ? [] : [{ fixture }])),
    message: `World ${name} created.`,
    done: () => go(name),
  })
  return (
    <>
      <h2 class="label">Worlds</h2>
      {worlds.length > mostWithoutFilter && (
        <FilterField label="Filter the worlds" placeholder="name" value={text} write={setText} />
      )}
      <ul class="menu-list scroll">
        <Growing
          items={worlds.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))}
          row={({ name, requests }) => (
            <li key={name}>
              <button
                type="button"
                class="row item"
                aria-pressed={name === live.world.value}
                onClick={() => go(name)}
              >
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
        action={(name) => creation(name)}
      />
      <div class="row wrap">
        <FileButton
          label="Fixture of a new world"
          actionOf={(fixture, file) => creation(nameOfWorld(file), fixture)}
          close={close}
        >
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
  const opening = (fixture: object, name: string) => ({
    does: act('import', fixture),
    message: `Opened ${name}.`,
  })
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => undefined)
    if (text !== undefined) await performWith(runner, text, 'The clipboard', opening)
    else runner.refuse('The browser does not allow this page to read the clipboard: open a file.')
    close()
  }
  const exported = async () => JSON.stringify(await live.of.export(), null, 2)
  const goToMain = () => {
    live.world.value = 'main'
    close()
  }
  return (
    <>
      <h2 class="label">This world</h2>
      <p class="row breaks lesser">
        {world === 'main' ? (
          'Requests without a header select it.'
        ) : (
          <>
            Select it with
            <code>{header}</code>
            <CopyButton text={() => header} what="the header" />
          </>
        )}
      </p>
      <div class="row wrap">
        <ActButton as="small" does={act('reset')} message="Reset to the fixture." done={close}>
          Reset
        </ActButton>
        <Button as="small" onClick={async () => saveFile(`${world}.json`, await exported())}>
          Export
        </Button>
        <FileButton label="Open a fixture" actionOf={opening} close={close}>
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
          <ActButton
            as="small"
            does={act('worlds.delete', world)}
            message={`World ${world} deleted.`}
            done={goToMain}
          >
            Delete
          </ActButton>
        )}
      </div>
    </>
  )
}

function Snapshots({ close }: PartProps) {
  return (
    <>
      <h2 class="label">Snapshots</h2>
      <div class="row wrap">
        {useSnapshots().map((name) => (
          <ActButton
            key={name}
            as="small"
            does={act('restore', name)}
            message={`Snapshot ${name} restored.`}
            done={close}
          >
            Restore {name}
          </ActButton>
        ))}
      </div>
      <NameForm
        label="Name of a new snapshot"
        placeholder="a new snapshot"
        button="Save"
        action={(name) => ({ does: act('snapshot', name), message: `Snapshot ${name} saved.` })}
      />
    </>
  )
}

/** Returns what to do with the fixture of a file. */
type ActionOf = (fixture: object, name: string) => Omit<Action, 'title'>

/** Performs an action with the fixture that a text contains. */
async function performWith(runner: ActRunner, text: string, name: string, actionOf: ActionOf) {
  const fixture = tryParseJson(text)
  if (fixture === undefined) runner.refuse(`${name} is not JSON.`)
  else await runner.perform(actionOf(Object(fixture), name))
}

interface FileButtonProps extends PartProps {
  readonly label: string
  readonly actionOf: ActionOf
  readonly children: string
}

/** Asks for a file with a fixture. */
function FileButton({ label, actionOf, close, children }: FileButtonProps) {
  const { runner } = usePanel()
  const input = useRef<HTMLInputElement>(null)
  const read = async () => {
    const [chosen] = input.current?.files ?? []
    if (chosen === undefined) return
    await performWith(runner, await chosen.text(), chosen.name, actionOf)
    close()
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
