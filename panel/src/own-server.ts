import { withoutTrailingSlashes } from './library.ts'

/** Returns the address of this script before `/__understudy__/panel/`, below which a server may be mounted. */
export function ownServer(): string {
  return withoutTrailingSlashes(new URL('../..', import.meta.url).href)
}
