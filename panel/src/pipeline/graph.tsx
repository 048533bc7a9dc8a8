import { useEffect, useState } from 'preact/hooks'
import { Link } from '../frame/link.tsx'
import { goAmongLinks } from '../parts/arrow-keys.ts'
import { Nothing } from '../parts/empty.tsx'
import { Glyph, markOf } from '../parts/glyph.tsx'
import { type GraphBlock, layOut, type PlacedGraph } from './lay-out.ts'
import { nodeHeight, outlineOf } from './outlines.ts'

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

/** The blocks of a pipeline, laid out from left to right: the form says the kind, the mark the status. */
export function Graph({ blocks }: { readonly blocks: readonly GraphBlock[] }) {
  const [placed, setPlaced] = useState<PlacedGraph | undefined>(undefined)
  useEffect(() => {
    let isOver = false
    if (blocks.length === 0) return
    layOut(blocks).then((graph) => {
      if (!isOver) setPlaced(graph)
    })
    return () => {
      isOver = true
    }
  }, [blocks])
  const stop = blocks.find(({ status }) => status === 'failed') ?? blocks[0]
  const statusOf = new Map(blocks.map(({ uuid, status }) => [uuid, status]))
  return (
    <section aria-labelledby="blocks-title">
      <div class="section-head">
        <h2 id="blocks-title">Blocks</h2>
        <span class="legend push">
          {counted.map(([status, words]) => {
            const { length } = blocks.filter((block) => block.status === status)
            return (
              length > 0 && (
                <span key={status} class="mark">
                  <Glyph of={status} />
                  {length} {words}
                </span>
              )
            )
          })}
        </span>
      </div>
      {blocks.length === 0 ? (
        <Nothing>It has no block yet.</Nothing>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <section class="graph-place" tabIndex={0} aria-label="Graph of blocks">
          {placed !== undefined && (
            // biome-ignore lint/a11y/noStaticElementInteractions: keys are heard from the links inside
            <div
              class="graph"
              onKeyDown={goAmongLinks}
              style={{ width: `${placed.width}px`, height: `${placed.height}px` }}
            >
              <svg width={placed.width} height={placed.height} aria-hidden="true">
                {placed.edges.map(({ from, to, path }) => (
                  <path
                    key={`${from} ${to}`}
                    class={statusOf.get(from) === 'executed' ? 'edge' : 'edge waits'}
                    d={path}
                  />
                ))}
              </svg>
              {blocks.map((block) => {
                const { x, y } = placed.nodes.get(block.uuid) ?? { x: 0, y: 0 }
                const { outline, isBeside } = outlineOf(block.type, placed.nodeWidth)
                const key = encodeURIComponent(`${block.pipeline_uuid}/${block.uuid}`)
                return (
                  <div
                    key={block.uuid}
                    class="node-place"
                    style={{ left: `${x}px`, top: `${y}px`, width: `${placed.nodeWidth}px` }}
                  >
                    <Link to={`records/blocks/${key}`} as={`node ${block.status}`} isStop={block === stop}>
                      <svg width={placed.nodeWidth} height={nodeHeight} aria-hidden="true">
                        <path class={isBeside ? 'outline beside' : 'outline'} d={outline} />
                      </svg>
                      <b class="cut" dir="auto">
                        {block.name}
                      </b>
                      <span class="node-kind">
                        <span class="cut">
                          {kinds[block.type] ?? block.type}, {block.language}
                        </span>
                        <Glyph of={markOf(block.status)} name={block.status.replace('_', ' ')} />
                      </span>
                    </Link>
                  </div>
                )
              })}
            </div>
          )}
        </section>
      )}
    </section>
  )
}
