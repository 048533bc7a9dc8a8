/**
 * Stores one text, for `createStorage`: a file, a database, a bucket.
 *
 * @example
 * let stored: string | undefined
 * const place: StatePlace = {
 *   name: 'memory',
 *   read: async () => stored,
 *   write: async (text) => {
 *     stored = text
 *   },
 * }
 */
export interface StatePlace {
  /** The name for messages, such as the path of a file. */
  readonly name: string
  /** Milliseconds between two writes. Default 800. */
  readonly pause?: number
  /**
   * Called once, before anything else. It throws if the place is in use or can never be used, and reports if it has
   * to wait for another process.
   */
  open?(waiting: (text: string) => void): Promise<void>
  /** Returns the stored text; `undefined` if there is none. */
  read(): Promise<string | undefined>
  /** Replaces the stored text as a whole, or throws. */
  write(text: string): Promise<void>
  /**
   * Moves the stored text to a name that nothing overwrites, and returns that name; the reason is one word.
   * Without it, an unusable state is an error.
   */
  setAside?(reason: string): Promise<string>
  /** Called once, after everything else. */
  close?(): Promise<void>
}
