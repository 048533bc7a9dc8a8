import { withoutTrailingSlashes } from './library.ts'

/** Returns the address of this script before `/__understudy__/panel/`, the base path of the server. */
export function ownServer(): string {
  return withoutTrailingSlashes(new URL('../..', import.meta.url).href)
}
