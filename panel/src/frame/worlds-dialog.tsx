import { useState } from 'preact/hooks'
import { tryParseJson, worldHeader } from '../library.ts'
import {
  ActButton,
  Button,
  CopyButton,
  Dialog,
  FilterField,
  Growing,
  LineForm,
  Section,
  saveFile,
  WorldForm,
} from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useSnapshots, useWorlds } from '../store/use-query.ts'
import { countOf, signedOutWords } from '../store/words.ts'

export function WorldsDialog() {
  return (
    <Dialog title="Worlds and snapshots">
      <Worlds />
      <ThisWorld />
      <Snapshots />
    </Dialog>
  )
}

/** A list of so many worlds needs no filter. */
const mostWithoutFilter = 8

function Worlds() {
  const { live, closeDialog } = usePanel()
  const worlds = useWorlds()
  const [text, setText] = useState('')
  const go = (name: string) => {
    live.world.value = name
    closeDialog()
  }
  return (
    <div>
      {worlds.length > mostWithoutFilter && (
        <FilterField label="Filter the worlds" placeholder="name" value={text} write={setText} />
      )}
      <ul class="scroll">
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
          end="li"
        />
      </ul>
      <WorldForm done={closeDialog} />
    </div>
  )
}

function ThisWorld() {
  const { live, runner, closeDialog } = usePanel()
  const world = live.world.value
  const header = `${worldHeader}: ${world}`
  const save = async () => saveFile(`${world}.json`, JSON.stringify(await live.of.export(), null, 2))
  return (
    <Section title={`World ${world}`}>
      <p class="row wrap nothing">
        {world === 'main' ? 'Requests without a header select it.' : 'Applications select it with a header:'}
        {world !== 'main' && (
          <>
            <code class="breaks">{header}</code>
            <CopyButton text={() => header} what="the header" />
          </>
        )}
      </p>
      <div class="row wrap">
        <ActButton as="small" does={act('reset')} message="Reset to the fixture." done={closeDialog}>
          Reset
        </ActButton>
        <Button as="small" onClick={() => runner.attempt(save)}>
          Export
        </Button>
        <OpenButton />
        <ActButton as="small" does={act('signOut')} message={signedOutWords} done={closeDialog}>
          Sign out all users
        </ActButton>
        {world !== 'main' && (
          <ActButton
            as="small"
            does={act('worlds.delete', world)}
            message={`World ${world} deleted.`}
            done={closeDialog}
          >
            Delete
          </ActButton>
        )}
      </div>
    </Section>
  )
}

function Snapshots() {
  const { closeDialog } = usePanel()
  return (
    <Section title="Snapshots">
      <div class="row wrap">
        {useSnapshots().map((name) => (
          <ActButton
            key={name}
            as="small"
            does={act('restore', name)}
            message={`Snapshot ${name} restored.`}
            done={closeDialog}
          >
            Restore {name}
          </ActButton>
        ))}
      </div>
      <LineForm
        label="Name of a new snapshot"
        placeholder="a new snapshot"
        button="Save"
        action={(name) => ({ does: act('snapshot', name), message: `Snapshot ${name} saved.` })}
      />
    </Section>
  )
}

function OpenButton() {
  const { runner, closeDialog } = usePanel()
  const open = async (file: File | undefined) => {
    if (file === undefined) return
    const fixture = tryParseJson(await file.text())
    if (fixture === undefined) runner.refuse(`${file.name} is not JSON.`)
    else await runner.perform({ does: act('import', Object(fixture)), message: `Opened ${file.name}.` })
    closeDialog()
  }
  return (
    <label class="button small">
      Open…
      <input
        type="file"
        accept=".json"
        class="hidden"
        aria-label="Open a fixture"
        onChange={({ currentTarget: { files } }) => void open(files?.[0])}
      />
    </label>
  )
}
