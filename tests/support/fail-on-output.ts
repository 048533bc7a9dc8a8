// A test that prints fails, unless it expects the output: vi.spyOn(console, 'warn').
import { afterAll, afterEach, expect } from 'vitest'

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const
const originals = methods.map((method) => [method, console[method]] as const)
const messages: string[] = []

for (const method of methods) {
  console[method] = (...values: unknown[]) =>
    void messages.push(`console.${method}: ${values.map(String).join(' ')}`)
}
const note = (warning: Error) => void messages.push(`process warning: ${warning.name}: ${warning.message}`)
process.on('warning', note)

function expectSilence(): void {
  if (messages.length > 0) expect(messages.splice(0), 'what was printed, unexpectedly').toEqual([])
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
