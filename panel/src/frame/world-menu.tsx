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
        action={(name) => ({
          does: act('worlds.create', name),
          message: `World ${name} created.`,
          done: () => go(name),
        })}
      />
    </>
  )
}

function ThisWorld({ close }: PartProps) {
  const { live } = usePanel()
  const world = live.world.value
  const header = `${worldHeader}: ${world}`
  const save = async () => saveFile(`${world}.json`, JSON.stringify(await live.of.export(), null, 2))
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
        <Button as="small" onClick={save}>
          Export
        </Button>
        <OpenButton close={close} />
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

/** Replaces the state of the world by a fixture, from a file. */
function OpenButton({ close }: PartProps) {
  const { runner } = usePanel()
  const input = useRef<HTMLInputElement>(null)
  const open = async () => {
    const [file] = input.current?.files ?? []
    if (file === undefined) return
    const fixture = tryParseJson(await file.text())
    if (fixture === undefined) runner.refuse(`${file.name} is not JSON.`)
    else await runner.perform({ does: act('import', Object(fixture)), message: `Opened ${file.name}.` })
    close()
  }
  return (
    <>
      <Button as="small" onClick={() => input.current?.click()}>
        Open…
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json"
        class="hidden"
        tabIndex={-1}
        aria-label="Open a fixture"
        onChange={open}
      />
    </>
  )
}
