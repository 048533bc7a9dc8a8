/**
 * A place that keeps bytes, for `createStorage`: a file, a database, a bucket.
 *
 * @example
 * let kept: string | undefined
 * const place: StatePlace = {
 *   name: 'memory',
 *   read: async () => kept,
 *   write: async (pieces) => {
 *     kept = await new Blob(pieces).text()
 *   },
 * }
 */
export interface StatePlace {
  /** What it is called where something is said of it, such as the path of a file. */
  readonly name: string
  /** How many milliseconds it may take, at the usual, from a change until it is kept. Default 1,000. */
  readonly within?: number
  /**
   * Called first, and once. It throws where somebody else uses the place, or it can never be used. It may say that whoever
   * used it before was killed: ids that were given in the last moment are then passed over. Where it has to wait for
   * somebody else, it says so. It may note that the place has other names, which will not lead to what is written.
   */
  open?(
    waits: (text: string) => void,
    // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to say
  ): Promise<{ readonly wasKilled: boolean; readonly linked?: string | undefined } | void>
  /** What is kept; `undefined` where nothing is. */
  read(): Promise<Uint8Array | ArrayBuffer | string | undefined>
  /**
   * Keeps the bytes of pieces that follow one another, instead of what was kept: all of them, or it throws. It may
   * say what somebody else had put there, and where that is now. (`Uint8Array<ArrayBuffer>`, in words that TypeScript
   * knows before 5.7.)
   */
  write(
    pieces: readonly (Uint8Array & { readonly buffer: ArrayBuffer })[],
    // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to say
  ): Promise<string | undefined | void>
  /**
   * Puts what is kept aside, where nothing overwrites it, and says where that is; the reason is one word. Where a place
   * cannot do so, it keeps what it has, and nothing is written to it.
   */
  setAside?(reason: string): Promise<string>
  /** Called last. */
  close?(): Promise<void>
}
