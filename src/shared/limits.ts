/** Maximum values, by name. `SECURITY.md` has the unit of each limit and the reply beyond it. */

/** Bytes of a request's body (`body-limit`). */
export const body = 10 * 1024 * 1024
/** Bytes of the bodies that arrive at the same time; beyond it, the server accepts small ones only. */
export const waitingBodies = 256 * 1024 * 1024
/** Bytes of a state, fixture or list of records in a request to the admin API. */
export const importedState = 256 * 1024 * 1024
/** Bytes of a file that the command reads. */
export const file = 256 * 1024 * 1024
/** Values that a JSON body holds: the members of its objects and the elements of its lists. */
export const bodyValues = 20_000
/** Nesting levels of a JSON body or file. */
export const bodyDepth = 200
/** Characters of a reply (`body-limit`). */
export const reply = 16 * 1024 * 1024
/** Records of one reply, those shown within others included. */
export const replyRecords = 10_000
/** Records that one request to the API deletes. */
export const deletedRecords = 20_000
/** Pipelines of a new block. */
export const blockPipelines = 1_000
/** Blocks that the pipelines of a new block have together. */
export const sharedBlocks = 5_000
/** Characters of a record's cached text. */
export const cachedText = 8_192
/** Characters of the cached body of a reply, one for each operation and its options. */
export const cachedBody = 65_536
/** Blocks of one pipeline. */
export const pipelineBlocks = 2_000
/** Schedules of one pipeline. */
export const pipelineSchedules = 1_000
/** Conditionals of a new pipeline. */
export const conditionals = 500
/** Times that the schedules of a world fire while one request applies due events. */
export const firings = 2_000
/** Runs that one backfill starts. */
export const backfillRuns = 1_000
/** Runs of backfills and log files of blocks that one request creates while it applies due events. */
export const dueRecords = 10_000
/** Snapshots of one world. */
export const snapshots = 1_000
/** Worlds beside `main`. */
export const worlds = 1_000
/** Estimated bytes of the records of all worlds, where the heap limit is not known. */
export const memory = 512 * 1024 * 1024
/** Characters of a path in a line of the log for people. */
export const loggedPath = 500
/** Milliseconds until the head of a request has arrived. */
export const requestHead = 10_000
/** Milliseconds until a whole request has arrived. */
export const request = 30_000
/** Milliseconds between two requests on a connection. */
export const idleConnection = 5_000
/** Records that a request to the admin API makes. */
export const madeRecords = 10_000
/** Keys of the records of a resource in the description of a deletion. */
export const deletionKeys = 100
/** Records of one page, and parts of a spread. */
export const pageRecords = 1_000
/** Different terms of a search. */
export const searchTerms = 20
/** Values of an attribute in a count of records. */
export const countedValues = 20_000
/** Maximum number of records in one reply with the newest per value. */
export const newestRecords = 20_000
/** Characters that the admin API searches records for. */
export const search = 500
/** Maximum number of events in one reply, scheduled or past. */
export const reportedEvents = 1_000
/** Faults of one world. */
export const faults = 1_000
/** Headers of a request. Node.js drops those beyond 2,000, one of which could be that of a proxy. */
export const requestHeaders = 1_000
/** Characters of a fault's `path`. */
export const faultPath = 500
/** Bytes that wait for a client that follows a stream and does not read. */
export const streamBacklog = 4 * 1024 * 1024
/** Bytes that wait for all clients that follow streams. */
export const streamsBacklog = 64 * 1024 * 1024
/** Clients that follow streams at the same time: each receives every event. */
export const streams = 1_000
/** Highest id from which ids continue. */
export const countedId = 2 ** 52
/** Highest next id of a fixture. */
export const nextId = 2 ** 52 + 2 ** 51
/** Characters of a name in a uuid. */
export const uuid = 10_000
/** Characters of a schedule's interval. */
export const interval = 200
/** Requests in the journal of a world. */
export const journalEntries = 1_000
/** Bytes that the journals of all worlds take together. */
export const journalBytes = 128 * 1024 * 1024
/** Characters of a body in the journal; for a longer one, the journal stores the length. */
export const journalBody = 65_536
/** Changes of one request in the journal; it counts the others. */
export const journalChanges = 1_000
/** Bytes of changed records of one request in the journal; beyond the limit it stores none. */
export const journalChangesBytes = 1024 * 1024
/** Bytes of the log of `serve` that wait for their reader. */
export const logBacklog = 1024 * 1024
/** Milliseconds of the longest timer. */
export const wait = 2 ** 31 - 1
