// A test that prints fails, unless it expects the output: vi.spyOn(console, 'warn').
import { afterAll, afterEach, expect } from 'vitest'

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const
const originals = methods.map((method) => [method, console[method]] as const)
const said: string[] = []

for (const method of methods) {
  console[method] = (...values: unknown[]) =>
    void said.push(`console.${method}: ${values.map(String).join(' ')}`)
}
const note = (warning: Error) => void said.push(`process warning: ${warning.name}: ${warning.message}`)
process.on('warning', note)

function expectSilence(): void {
  if (said.length > 0) expect(said.splice(0), 'what was printed, unexpectedly').toEqual([])
}

afterEach(async () => {
  // Node reports a warning in the next turn of the loop.
  await new Promise((resolve) => setImmediate(resolve))
  expectSilence()
})

afterAll(() => {
  for (const [method, original] of originals) console[method] = original
  process.off('warning', note)
  expectSilence()
})
