import type { RecordOf } from '../../../src/resources/records.ts'
import { nodeHeight } from './outlines.ts'

export type GraphBlock = RecordOf<'blocks'>

/** How wide nodes are where there is room for them, and where there is not. */
const usual = { nodeWidth: 184, gap: 40 }
const close = { nodeWidth: 148, gap: 24 }
const roomy = 1_190

/** Where nodes stand, by their upper left corner, and how edges run. */
export interface PlacedGraph {
  readonly width: number
  readonly nodeWidth: number
  readonly height: number
  readonly nodes: ReadonlyMap<string, { readonly x: number; readonly y: number }>
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[]
}

/** Lays the blocks out in layers from left to right; the library for it is loaded with the first graph. */
export async function layOut(
  blocks: readonly Pick<GraphBlock, 'uuid' | 'upstream_blocks'>[],
): Promise<PlacedGraph> {
  const dagre = await loadDagre()
  const graph = layOutWith(dagre, blocks, usual)
  return graph.width > roomy ? layOutWith(dagre, blocks, close) : graph
}

function layOutWith(
  { Graph, layout }: Awaited<ReturnType<typeof loadDagre>>,
  blocks: readonly Pick<GraphBlock, 'uuid' | 'upstream_blocks'>[],
  { nodeWidth, gap }: typeof usual,
): PlacedGraph {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: gap, marginx: 2, marginy: 2 })
  graph.setDefaultEdgeLabel(() => ({}))
  const known = new Set(blocks.map(({ uuid }) => uuid))
  for (const uuid of known) graph.setNode(uuid, { width: nodeWidth, height: nodeHeight })
  const pairs = blocks.flatMap(({ uuid, upstream_blocks: above }) =>
    above.filter((from) => known.has(from)).map((from) => ({ from, to: uuid })),
  )
  for (const { from, to } of pairs) graph.setEdge(from, to)
  layout(graph)
  const centre = (uuid: string) => graph.node(uuid) as { x: number; y: number }
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    nodeWidth,
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: new Map(
      [...known].map((uuid) => {
        const { x, y } = centre(uuid)
        return [uuid, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }]
      }),
    ),
    edges: pairs.map(({ from, to }) => {
      const start = centre(from)
      const end = centre(to)
      const [x, along] = [start.x + nodeWidth / 2, end.x - nodeWidth / 2]
      const bend = (along - x) / 2
      return {
        from,
        to,
        path: `M${x} ${start.y}C${x + bend} ${start.y} ${along - bend} ${end.y} ${along} ${end.y}`,
      }
    }),
  }
}

async function loadDagre() {
  const { default: dagre } = await import('@dagrejs/dagre')
  return { Graph: dagre.graphlib.Graph, layout: dagre.layout }
}
