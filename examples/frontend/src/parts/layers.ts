interface Node {
  readonly uuid: string
  readonly upstream_blocks: readonly string[]
}

/** A place in the drawing: layers from left to right, rows from top to bottom. */
export interface Place<Block> {
  readonly block: Block
  readonly layer: number
  readonly row: number
}

/** Lays blocks out in layers: each right of all it depends on, in a row near theirs. */
export function layOut<Block extends Node>(blocks: readonly Block[]): Place<Block>[] {
  const byUuid = new Map(blocks.map((block) => [block.uuid, block]))
  const depths = new Map<string, number>()
  const depthOf = (block: Block, path: readonly string[] = []): number => {
    const known = depths.get(block.uuid)
    if (known !== undefined) return known
    // A circle is cut where it closes.
    const before = block.upstream_blocks
      .filter((uuid) => uuid !== block.uuid && !path.includes(uuid))
      .flatMap((uuid) => byUuid.get(uuid) ?? [])
    const depth = Math.max(-1, ...before.map((one) => depthOf(one, [...path, block.uuid]))) + 1
    depths.set(block.uuid, depth)
    return depth
  }
  const layers: Block[][] = []
  for (const block of blocks) {
    const depth = depthOf(block)
    layers[depth] = [...(layers[depth] ?? []), block]
  }
  const tallest = Math.max(1, ...layers.map(({ length }) => length))
  const rows = new Map<string, number>()
  return layers.flatMap((layer, depth) => {
    const wished = (block: Block) => {
      const before = block.upstream_blocks.flatMap((uuid) => rows.get(uuid) ?? [])
      return before.length === 0 ? tallest : before.reduce((sum, row) => sum + row, 0) / before.length
    }
    const ordered = layer.toSorted((one, other) => wished(one) - wished(other))
    return ordered.map((block, index) => {
      const row = index + (tallest - ordered.length) / 2
      rows.set(block.uuid, row)
      return { block, layer: depth, row }
    })
  })
}
