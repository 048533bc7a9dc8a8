import { withoutTrailingSlashes } from './library.ts'

/** Where this script came from: the address before `/__understudy__/panel/`, below which a server may be mounted. */
export function ownServer(): string {
  return withoutTrailingSlashes(new URL('../..', import.meta.url).href)
}
