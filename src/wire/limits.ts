/**
 * What is bounded, by name: how much there may be of it at most. What each limit counts, and what is said when it is
 * met, stands in `SECURITY.md`.
 */
export const limits = {
  /** Bytes of a request's body (`body-limit`). */
  body: 10 * 1024 * 1024,
  /** Values that a JSON body holds: the members of its objects and the elements of its lists. */
  bodyValues: 500_000,
  /** Levels that a JSON body is nested. */
  bodyDepth: 200,
  /** Characters of a reply (`body-limit`). */
  reply: 128 * 1024 * 1024,
  /** Characters of a record's text that is kept to be sent again. */
  keptText: 8_192,
  /** Conditionals that one pipeline is created with. */
  conditionals: 500,
  /** Times that one schedule fires while one request settles what is due. */
  firings: 10_000,
  /** Times that all schedules of a world fire meanwhile. */
  firingsTogether: 20_000,
  /** Runs that one backfill starts. */
  backfillRuns: 10_000,
  /** Runs of backfills, and log files of blocks (hundreds of them, where they are kept as one), that are made while one request settles what is due. */
  settledRecords: 100_000,
  /** Snapshots of one world. */
  snapshots: 1_000,
  /** Worlds beside `main`. */
  worlds: 1_000,
  /** Bytes that the fixtures of worlds that are born from one of their own take together. */
  worldFixtures: 512 * 1024 * 1024,
  /** Characters of a path in a line of the log for people. */
  loggedPath: 500,
  /** Milliseconds until the head of a request has arrived. */
  requestHead: 10_000,
  /** Milliseconds until a whole request has arrived. */
  request: 30_000,
  /** Milliseconds between two requests on a connection. */
  idleConnection: 5_000,
  /** Records that a request to the admin API makes. */
  madeRecords: 10_000,
  /** Keys that are named of the records of a resource that a deletion takes along. */
  deletionKeys: 100,
  /** Records of one page, and parts of a spread. */
  pageRecords: 1_000,
  /** Records that are told at once of the newest of each value. */
  newestRecords: 20_000,
  /** Characters that the admin API searches records for. */
  search: 500,
  /** Events that are told at once, before they happen or after. */
  toldEvents: 1_000,
  /** Faults of one world. */
  faults: 1_000,
  /** Characters of a fault's `path`. */
  faultPath: 500,
  /** Writes that a lagging view of a world (`stale`) is behind. */
  staleWrites: 100_000,
  /** Bytes that wait for a client that follows a stream and does not read. */
  streamBacklog: 4 * 1024 * 1024,
  /** The highest id from which ids are counted on. */
  countedId: 2 ** 52,
  /** The highest id that a fixture may say comes next. */
  nextId: 2 ** 52 + 2 ** 51,
  /** Characters of a schedule's interval. */
  interval: 200,
  /** Requests that the journal of a world keeps. */
  journalEntries: 1_000,
  /** Requests that the journals of all worlds keep together. */
  journalTotal: 50_000,
  /** Bytes that the journals of all worlds take together. */
  journalBytes: 128 * 1024 * 1024,
  /** Characters of a body in the journal; of a longer one the length is kept. */
  journalBody: 65_536,
  /** Changes that one request has made, in the journal; others are counted. */
  journalChanges: 1_000,
  /** Bytes of the log of `serve` that wait for their reader. */
  logBacklog: 1024 * 1024,
  /** Ids of each table that are passed over where a server was killed: those that may have been given since the last write. */
  lostIds: 10_000,
  /** Bytes of the file that a state is kept in. */
  stateBytes: 2 ** 31 - 1,
  /** Milliseconds that anything waits. */
  wait: 2 ** 31 - 1,
} as const
