/** A server that is wrong in one way, which the judge is tried by. */
export interface WrongServer {
  readonly name: string
  /** The rule that it breaks. */
  readonly breaks: string
  /** Whether the server is this one now. */
  readonly isOn: boolean
}

/** The ways in which a server can be wrong as a whole: only `understudy serve` has them. */
export interface WrongServers {
  /** All of them; none where nobody brought any. */
  list(): Promise<WrongServer[]>
  /** The one that the server is now; `null` where it is the good one. */
  current(): Promise<WrongServer | null>
  /**
   * Is the wrong server of this name from now on; the good one again for `null`. Its state stays as it is.
   *
   * @throws where there is no wrong server of this name.
   * @example
   * await client.wrongServers.take('created-as-text')
   */
  take(name: string | null): Promise<void>
}
