import type { PlanContext, Resource, WireRecord } from '../resources/resource.ts'
import { freeze } from './freeze.ts'

/** Adds to a record about to be written what its resource plans for it. */
export function withPlan(
  { plan }: Resource,
  next: WireRecord,
  previous: WireRecord | undefined,
  context: PlanContext,
): WireRecord {
  const changes = plan?.(next, previous, context)
  return changes === undefined ? next : freeze({ ...next, ...changes })
}
