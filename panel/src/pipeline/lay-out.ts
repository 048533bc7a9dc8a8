import type { GraphLabel, NodeLabel } from '@dagrejs/dagre'
import type { RecordOf } from '../library.ts'
import { nodeHeight } from './outlines.ts'

export type GraphBlock = RecordOf<'blocks'>

/** The measures of nodes where there is room for them, and where there is not. */
const usual = { nodeWidth: 184, gap: 40 }
const close = { nodeWidth: 148, gap: 24 }
const roomy = 1_190

/** The upper left corners of nodes, and the paths of edges. */
export interface PlacedGraph {
  readonly width: number
  readonly nodeWidth: number
  readonly height: number
  readonly nodes: ReadonlyMap<string, { readonly x: number; readonly y: number }>
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[]
}

/** Lays the blocks out in layers from left to right; the library for it is loaded with the first graph. */
export async function layOut(blocks: readonly GraphBlock[]): Promise<PlacedGraph> {
  const { default: dagre } = await import('@dagrejs/dagre')
  const layOutWith = ({ nodeWidth, gap }: typeof usual): PlacedGraph => {
    const graph = new dagre.graphlib.Graph<GraphLabel, NodeLabel>()
    graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: gap, marginx: 2, marginy: 2 })
    graph.setDefaultEdgeLabel(() => ({}))
    const known = new Set(blocks.map(({ uuid }) => uuid))
    for (const uuid of known) graph.setNode(uuid, { width: nodeWidth, height: nodeHeight })
    const pairs = blocks.flatMap(({ uuid, upstream_blocks: above }) =>
      above.filter((from) => known.has(from)).map((from) => ({ from, to: uuid })),
    )
    for (const { from, to } of pairs) graph.setEdge(from, to)
    dagre.layout(graph)
    const centreOf = (uuid: string) => {
      const { x = 0, y = 0 } = graph.node(uuid)
      return { x, y }
    }
    const { width = 0, height = 0 } = graph.graph()
    const nodes = [...known].map((uuid) => {
      const { x, y } = centreOf(uuid)
      return [uuid, { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }] as const
    })
    const edges = pairs.map(({ from, to }) => {
      const start = centreOf(from)
      const end = centreOf(to)
      const [left, right] = [start.x + nodeWidth / 2, end.x - nodeWidth / 2]
      const bend = (right - left) / 2
      const path = `M${left} ${start.y}C${left + bend} ${start.y} ${right - bend} ${end.y} ${right} ${end.y}`
      return { from, to, path }
    })
    return { nodeWidth, width: Math.ceil(width), height: Math.ceil(height), nodes: new Map(nodes), edges }
  }
  const graph = layOutWith(usual)
  return graph.width > roomy ? layOutWith(close) : graph
}
