import type { Readable, Writable } from 'node:stream'

/** A stream that a command writes to, which may be a terminal. */
export type Output = Writable & {
  readonly isTTY?: boolean
  readonly columns?: number
  /** The descriptor, if it has one. */
  readonly fd?: number
}

/** The parts of `process` that a command uses. A program that runs several commands passes each its own. */
export interface ProcessIo {
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin?: Readable
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of temporary files. Default: that of the system. */
  readonly temporary?: string
  /** The exit code of a command that ends by itself. */
  exitCode?: number | string | null | undefined
  /** Ends the process, or throws `CommandExit` in a program that runs several commands. */
  exit(code?: number): never
  on(event: NodeJS.Signals, listener: () => void): unknown
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  once(event: NodeJS.Signals, listener: () => void): unknown
  off(event: NodeJS.Signals, listener: () => void): unknown
}

/** Thrown by `exit` where the command has no process of its own. */
export class CommandExit extends Error {}
