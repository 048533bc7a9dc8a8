import type { GraphLabel, NodeLabel } from '@dagrejs/dagre'
import type { RecordOf } from '../library.ts'
import { nodeHeight } from './outlines.ts'

export type GraphBlock = RecordOf<'blocks'>

/** The measures of nodes where there is room for them, where there is less, and on a narrow screen. */
const usual = { nodeWidth: 184, gap: 40, isVertical: false }
const close = { nodeWidth: 148, gap: 24, isVertical: false }
const vertical = { nodeWidth: 148, gap: 32, isVertical: true }
/** Below this width a graph is vertical, in pixels. */
const narrow = 700

/** The upper left corners of nodes, and the paths of edges. */
export interface PlacedGraph {
  readonly width: number
  readonly nodeWidth: number
  readonly height: number
  readonly nodes: ReadonlyMap<string, { readonly x: number; readonly y: number }>
  readonly edges: readonly { readonly from: string; readonly to: string; readonly path: string }[]
}

/** Lays the blocks out in layers, from left to right or on a narrow screen downwards; loads its library on first use. */
export async function layOut(blocks: readonly GraphBlock[], room: number): Promise<PlacedGraph> {
  const { default: dagre } = await import('@dagrejs/dagre')
  const layOutWith = ({ nodeWidth, gap, isVertical }: typeof usual): PlacedGraph => {
    const graph = new dagre.graphlib.Graph<GraphLabel, NodeLabel>()
    graph.setGraph({ rankdir: isVertical ? 'TB' : 'LR', nodesep: 16, ranksep: gap, marginx: 2, marginy: 2 })
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
      return { from, to, path: isVertical ? pathDown(start, end) : pathRight(start, end, nodeWidth) }
    })
    return { nodeWidth, width: Math.ceil(width), height: Math.ceil(height), nodes: new Map(nodes), edges }
  }
  const graph = layOutWith(usual)
  if (graph.width <= room) return graph
  return layOutWith(room < narrow ? vertical : close)
}

interface Point {
  readonly x: number
  readonly y: number
}

function pathRight(start: Point, end: Point, nodeWidth: number): string {
  const [left, right] = [start.x + nodeWidth / 2, end.x - nodeWidth / 2]
  const middle = (left + right) / 2
  return `M${left} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${right} ${end.y}`
}

function pathDown(start: Point, end: Point): string {
  const [top, bottom] = [start.y + nodeHeight / 2, end.y - nodeHeight / 2]
  const middle = (top + bottom) / 2
  return `M${start.x} ${top}C${start.x} ${middle} ${end.x} ${middle} ${end.x} ${bottom}`
}
