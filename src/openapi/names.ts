import type { Operation, Resource, Route } from '../resources/resource.ts'
import { pascalCase } from '../shared/words.ts'

/** Returns the operation id for one of the routes of an operation. Only the first route has the operation's own id. */
export function operationIdAt(
  resources: readonly Resource[],
  resource: Resource,
  operation: Operation,
  route: Route,
): string {
  const [first] = operation.routes
  if (route === first) return operation.id
  if (route.path === first?.path) return `${operation.id}By${pascalCase(route.method.toLowerCase())}`
  const parent = parentOf(resources, resource, route)
  if (parent) return `${operation.id}Of${pascalCase(parent.singular)}`
  const missed = first && parentOf(resources, resource, first)
  if (operation.action === 'list' && missed) return `${operation.id}OfAll${pascalCase(missed.plural)}`
  return `${operation.id}By${pascalCase(resource.key)}`
}

function parentOf(resources: readonly Resource[], resource: Resource, { path }: Route): Resource | undefined {
  const plural = path.split('/')[2]
  return plural === resource.plural ? undefined : resources.find((candidate) => candidate.plural === plural)
}
