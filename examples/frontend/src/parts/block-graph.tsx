import type { Block } from 'pipeline-understudy/api'
import { useMemo } from 'react'
import { layOut } from './layers'
import { Glyph } from './status'

const width = 196
const height = 56
const column = width + 56
const line = height + 20

/** The blocks of a pipeline, each right of what it depends on; one can be chosen. */
export function BlockGraph({
  blocks,
  chosen,
  onChoose,
}: {
  blocks: readonly Block[]
  chosen: string | undefined
  onChoose: (uuid: string) => void
}) {
  const places = useMemo(() => layOut(blocks), [blocks])
  const byUuid = new Map(places.map((place) => [place.block.uuid, place]))
  const size = {
    width: (Math.max(...places.map(({ layer }) => layer)) + 1) * column - 56,
    height: (Math.max(...places.map(({ row }) => row)) + 1) * line - 20,
  }
  return (
    // A region that scrolls has to be reached by keys.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className="graph" aria-label="Block graph" tabIndex={0}>
      <div className="graph-ground" style={size}>
        <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
          {places.flatMap(({ block, layer, row }) =>
            block.upstream_blocks.flatMap((uuid) => {
              const from = byUuid.get(uuid)
              if (from === undefined) return []
              const [x1, y1] = [from.layer * column + width, from.row * line + height / 2]
              const [x2, y2] = [layer * column, row * line + height / 2]
              const bend = (x2 - x1) / 2
              return (
                <path
                  key={`${uuid} ${block.uuid}`}
                  className={chosen === uuid || chosen === block.uuid ? 'edge edge-near' : 'edge'}
                  d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
                />
              )
            }),
          )}
        </svg>
        <ol>
          {places.map(({ block, layer, row }) => (
            <li key={block.uuid} style={{ left: layer * column, top: row * line }}>
              <button
                type="button"
                className="block"
                aria-pressed={chosen === block.uuid}
                onClick={() => onChoose(block.uuid)}
              >
                <Glyph status={block.status} />
                <span className="block-name">{block.name}</span>
                <span className="block-kind">
                  {block.type.replaceAll('_', ' ')}, {block.language}
                </span>
                <span className="unseen">{describe(block)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

/** Describes in words what the drawing shows by a glyph and by lines. */
function describe({ status, upstream_blocks }: Block): string {
  const after = upstream_blocks.length > 0 ? `, after ${upstream_blocks.join(', ')}` : ''
  return `${status.replaceAll('_', ' ')}${after}`
}
