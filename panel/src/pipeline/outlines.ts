import { nodeHeight } from './lay-out.ts'

const bottom = nodeHeight - 1
const middle = nodeHeight / 2

/** Kinds that are beside the flow, whose outline is dashed. */
const beside = new Set(['conditional', 'callback', 'chart'])

interface Outline {
  readonly outline: string
  readonly isBeside: boolean
}

/** Returns the form of a kind of block: it is recognizable without its colour. */
export function outlineOf(type: string, width: number): Outline {
  const right = width - 1
  const box = `M4 1H${right - 3}a3 3 0 0 1 3 3V${bottom - 3}a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z`
  const outlines: Readonly<Record<string, string>> = {
    // Notched where it takes nothing in.
    data_loader: `M1 1H${right - 3}a3 3 0 0 1 3 3V${bottom - 3}a3 3 0 0 1-3 3H1L9 ${middle}z`,
    // Pointed where it gives things out.
    data_exporter: `M4 1H${right - 11}L${right} ${middle} ${right - 11} ${bottom}H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3z`,
    sensor: `M26 1H${right - 25}a25 25 0 0 1 0 50H26a25 25 0 0 1 0-50z`,
    custom: `M10 1H${right}V${bottom - 9}L${right - 9} ${bottom}H1V10z`,
    dbt: `${box}M4 ${bottom - 4}H${right - 3}`,
    markdown: `M4 1H${right - 10}L${right} 11V${bottom - 3}a3 3 0 0 1-3 3H4a3 3 0 0 1-3-3V4a3 3 0 0 1 3-3zM${right - 10} 1V11H${right}`,
    conditional: `M13 1H${right - 12}L${right} ${middle} ${right - 12} ${bottom}H13L1 ${middle}z`,
    chart: `M1 ${bottom}V4a3 3 0 0 1 3-3H${right - 3}a3 3 0 0 1 3 3V${bottom}`,
  }
  return { outline: outlines[type] ?? box, isBeside: beside.has(type) }
}
