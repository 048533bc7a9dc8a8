import { latencyOf } from '../faults/fault-words.ts'
import { worldHeader } from '../library.ts'
import { CopyButton } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { useQuery, useWorld } from '../store/use-query.ts'

const help = 'https://github.com/pipeline-understudy/pipeline-understudy/blob/main/docs/panel.md'

/** A fact about the mock that an application needs, with its name in messages. */
export interface Access {
  readonly name: string
  readonly value: string
}

/** Returns the settings with which an application reaches this world: the URL of the API, a key, the header of the world. */
export function useAccess(): Access[] {
  const { live, origin } = usePanel()
  const [key] = useQuery('resources', ['keys'], (of) => of.apiKeys) ?? []
  const world = live.world.value
  return [
    { name: 'base URL', value: `${origin}/api` },
    ...(key === undefined ? [] : [{ name: 'API key', value: key }]),
    ...(world === 'main' ? [] : [{ name: 'header', value: `${worldHeader}: ${world}` }]),
  ]
}

export function linksOf(docs: string | undefined): (readonly [title: string, address: string])[] {
  return [...(docs === undefined ? [] : [['API docs', docs] as const]), ['Help', help]]
}

export function About() {
  const { live, docs, dialog } = usePanel()
  const { profile, faultyVariant } = useWorld() ?? {}
  const everywhere = live.faults.value.find(({ latency, operation, path }) => latency && !operation && !path)
  const latency = everywhere?.latency
  const settings = [
    profile && `Profile ${profile}`,
    faultyVariant && `Server-wide bug ${faultyVariant}`,
    latency && `Latency ${latencyOf(latency)}`,
  ]
  return (
    <div class="stack about">
      {useAccess().map(({ name, value }) => {
        // A long address breaks before its path.
        const [start, path] = value.split(/(?=\/api$)/)
        return (
          <div key={name}>
            <p class="row quiet">
              {name} <CopyButton text={() => value} what={`the ${name}`} />
            </p>
            <code class="breaks">
              {start}
              <wbr />
              {path}
            </code>
          </div>
        )
      })}
      {settings.map((each) => each && <p class="cue">{each}</p>)}
      <p class="row">
        {linksOf(docs).map(([title, address]) => (
          <a key={title} class="link" href={address} target="_blank" rel="noreferrer">
            {title}
          </a>
        ))}
        <button type="button" class="link" onClick={() => (dialog.value = 'shortcuts')}>
          Shortcuts
        </button>
      </p>
    </div>
  )
}
