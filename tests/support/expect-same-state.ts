import { expect } from 'vitest'

/**
 * Holds two states to be the same. Most are, to the byte, which is known at once; walking through thousands of them would
 * take longer than what is tested.
 */
export function expectSameState(one: unknown, other: unknown): void {
  if (JSON.stringify(one) !== JSON.stringify(other)) expect(one).toEqual(other)
}
