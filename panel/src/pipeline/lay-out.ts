import type { GraphLabel, NodeLabel } from '@dagrejs/dagre'
import type { RecordOf } from '../library.ts'

export type GraphBlock = RecordOf<'blocks'>

const nodeHeight = 52
/** The measures of a graph, and of a vertical one on a narrow screen. */
const usual = { nodeWidth: 184, ranksep: 40, rankdir: 'LR' }
const vertical = { nodeWidth: 148, ranksep: 32, rankdir: 'TB' }
/** Below this width a graph is vertical, in pixels. */
const narrow = 700

interface Point {
  readonly x: number
  readonly y: number
}

export interface PlacedGraph {
  readonly width: number
  readonly nodeWidth: number
  readonly height: number
  readonly nodes: ReadonlyMap<string, Point>
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[]
}

/** Lays the blocks out in layers, from left to right or on a narrow screen downwards; loads its library on first use. */
export async function layOut(blocks: readonly GraphBlock[], room: number): Promise<PlacedGraph> {
  const { default: dagre } = await import('@dagrejs/dagre')
  const { nodeWidth, ...measures } = room < narrow ? vertical : usual
  const graph = new dagre.graphlib.Graph<GraphLabel, NodeLabel>()
  graph.setGraph({ ...measures, nodesep: 16, marginx: 2, marginy: 2 })
  graph.setDefaultEdgeLabel(() => ({}))
  const known = new Set(blocks.map(({ uuid }) => uuid))
  for (const uuid of known) graph.setNode(uuid, { width: nodeWidth, height: nodeHeight })
  const pairs = blocks.flatMap(({ uuid, upstream_blocks: above }) =>
    above.filter((from) => known.has(from)).map((from) => ({ from, to: uuid })),
  )
  for (const { from, to } of pairs) graph.setEdge(from, to)
  dagre.layout(graph)
  const cornerOf = (uuid: string) => {
    const { x = 0, y = 0 } = graph.node(uuid)
    return { x: x - nodeWidth / 2, y: y - nodeHeight / 2 }
  }
  /** Draws an edge from the middle of a side to the middle of another, by the bends between them. */
  const pathOf = (from: string, to: string) => {
    const [start, end] = [cornerOf(from), cornerOf(to)]
    const isDown = measures.rankdir === 'TB'
    const exit = isDown ? { x: nodeWidth / 2, y: nodeHeight } : { x: nodeWidth, y: nodeHeight / 2 }
    const entry = isDown ? { x: nodeWidth / 2, y: 0 } : { x: 0, y: nodeHeight / 2 }
    const bends: readonly Point[] = graph.edge(from, to).points?.slice(1, -1) ?? []
    const points = [
      { x: start.x + exit.x, y: start.y + exit.y },
      ...bends,
      { x: end.x + entry.x, y: end.y + entry.y },
    ]
    return `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`
  }
  const { width = 0, height = 0 } = graph.graph()
  return {
    nodeWidth,
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: new Map([...known].map((uuid) => [uuid, cornerOf(uuid)])),
    edges: pairs.map(({ from, to }) => ({ from, to, path: pathOf(from, to) })),
  }
}
