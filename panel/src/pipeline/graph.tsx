import { useEffect, useState } from 'preact/hooks'
import { Glyph, Link, markOf, moveFocus, Nothing, Section } from '../parts/index.ts'
import { type GraphBlock, layOut, type PlacedGraph } from './lay-out.ts'

const kinds: Readonly<Record<string, string>> = {
  data_loader: 'loader',
  data_exporter: 'exporter',
  dbt: 'dbt model',
  markdown: 'note',
}
const counted = [
  ['failed', 'failed'],
  ['executed', 'executed'],
  ['updated', 'changed since'],
  ['not_executed', 'not executed'],
] as const

export function Graph({ blocks, note }: { readonly blocks: readonly GraphBlock[]; readonly note: string }) {
  const [placed, setPlaced] = useState<PlacedGraph | undefined>(undefined)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [room, setRoom] = useState(0)
  useEffect(() => {
    if (place === null) return
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width))
    observer.observe(place)
    return () => observer.disconnect()
  }, [place])
  useEffect(() => {
    let isOver = false
    if (blocks.length > 0 && room > 0) void layOut(blocks, room).then((graph) => isOver || setPlaced(graph))
    return () => {
      isOver = true
    }
  }, [blocks, room])
  const notes = [note, placed !== undefined && placed.width > room && 'scroll sideways to see all']
  const legend = counted.map(([status, words]) => {
    const { length } = blocks.filter((block) => block.status === status)
    return (
      length > 0 && (
        <span key={status} class="mark">
          <Glyph of={status} />
          {length} {words}
        </span>
      )
    )
  })
  return (
    <Section title="Blocks" note={notes.filter(Boolean).join('; ')} aside={legend}>
      {blocks.length === 0 ? (
        <Nothing>No blocks yet.</Nothing>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section class="graph-place" tabIndex={0} aria-label="Graph of blocks" ref={setPlace}>
          {placed !== undefined && <Drawing blocks={blocks} placed={placed} />}
        </section>
      )}
    </Section>
  )
}

interface DrawingProps {
  readonly blocks: readonly GraphBlock[]
  readonly placed: PlacedGraph
}

function Drawing({ blocks, placed: { width, height, nodeWidth, edges, nodes } }: DrawingProps) {
  const stop = blocks.find(({ status }) => status === 'failed') ?? blocks[0]
  const executed = new Set(blocks.filter(({ status }) => status === 'executed').map(({ uuid }) => uuid))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are heard from the links inside
    <div class="graph" onKeyDown={moveFocus} style={{ width: `${width}px`, height: `${height}px` }}>
      <svg width={width} height={height} aria-hidden="true">
        {edges.map(({ from, to, path }) => (
          <path key={`${from} ${to}`} class={executed.has(from) ? 'edge' : 'edge waits'} d={path} />
        ))}
      </svg>
      {blocks.map((block) => {
        const { x, y } = nodes.get(block.uuid) ?? { x: 0, y: 0 }
        const key = encodeURIComponent(`${block.pipeline_uuid}/${block.uuid}`)
        const style = { left: `${x}px`, top: `${y}px`, width: `${nodeWidth}px` }
        return (
          <div key={block.uuid} class="node-place" style={style}>
            <Link to={`records/blocks/${key}`} as={`node ${block.status}`} isStop={block === stop}>
              <b class="cut" dir="auto">
                {block.name}
              </b>
              <span class="row lesser">
                <span class="cut stretch">
                  {kinds[block.type] ?? block.type}, {block.language}
                </span>
                <Glyph of={markOf(block.status)} name={block.status.replace('_', ' ')} />
              </span>
            </Link>
          </div>
        )
      })}
    </div>
  )
}
