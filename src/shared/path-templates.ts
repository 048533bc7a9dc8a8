export function parameterNames(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment.startsWith(':'))
    .map((segment) => segment.slice(1))
}

/** Converts a path to the form of OpenAPI: `/api/pipelines/{uuid}`. */
export function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}
