import { adminPath } from '../shared/own-paths.ts'
import { isShipped } from './read-fixture.ts'

/** The flags of `serve` that depend on others. */
interface TogetherFlags {
  readonly admin: boolean
  readonly adminToken?: string | undefined
  readonly fixture: string
  readonly journal: number
  readonly journalBytes: number
  readonly scenario?: string | undefined
  readonly state?: string | undefined
  readonly watch?: unknown
}

/** Flags that cannot be together, or one of which would do nothing; each row says why, and the way out. */
const rows: readonly ((
  flags: TogetherFlags,
  isGiven: (name: keyof TogetherFlags) => boolean,
) => string | false)[] = [
  ({ scenario, state }) =>
    scenario !== undefined &&
    state !== undefined &&
    `--scenario ${scenario} and --state ${state} both say what worlds begin with: a state goes on, a scenario begins anew. Leave --scenario out, and start it on the page of the server or with POST ${adminPath}/worlds/main/scenarios/NAME/start; or leave --state out.`,
  ({ watch, fixture }) =>
    watch !== undefined &&
    isShipped(fixture) &&
    `--watch loads a file again, and ${fixture} ships with the package. Write one by \`understudy fixture new my.json\`, and serve it: --fixture my.json --watch.`,
  ({ admin, adminToken }) =>
    !admin &&
    adminToken !== undefined &&
    '--admin-token says who may use the admin API, and --no-admin turns it off. Leave one of them out.',
  ({ journal }, isGiven) =>
    journal === 0 &&
    isGiven('journalBytes') &&
    '--journal-bytes bounds the journals, and --journal 0 keeps none. Leave one of them out.',
]

/**
 * Refuses flags that do not go together; `isGiven` tells whether a flag was typed.
 *
 * @throws where one would do nothing, or contradict another.
 */
export function refuseTogether(flags: TogetherFlags, isGiven: (name: keyof TogetherFlags) => boolean): void {
  for (const row of rows) {
    const why = row(flags, isGiven)
    if (why !== false) throw new Error(why)
  }
}
