/** A real server whose ways an understudy can take. */
export interface ProfileHere {
  readonly name: string
  /** Whether the understudy has its ways now. */
  readonly isOn: boolean
}

/** The ways of real servers that an understudy can take while it runs: only `understudy serve` brings them. */
export interface Profiles {
  /** All of them; none where nobody brought any. */
  list(): Promise<ProfileHere[]>
  /**
   * Takes the ways of a real server, in every world, or those of the document again for `null`. Records, clocks, faults and
   * journals stay; choices where the document is silent become those of the server.
   *
   * @throws where there is no profile of this name, or a record is none by it.
   * @example
   * await client.profiles.take('mage-ai-0.9.79')
   */
  take(name: string | null): Promise<void>
}
