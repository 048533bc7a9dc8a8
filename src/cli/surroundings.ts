import type { Readable, Writable } from 'node:stream'

/** A stream that a command writes to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number }

/**
 * What a command has around it: its process, which is one of these as it is. A program that runs several commands gives
 * each its own.
 */
export interface Surroundings {
  readonly stdout: Output
  readonly stderr: Output
  /** Read only where a command says so. */
  readonly stdin?: Readable
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where temporary files go; without it where the system says. */
  readonly temporary?: string
  /** What the command exits with where it ends by itself. */
  exitCode?: number | string | null | undefined
  /** Ends the command at once: the process, or by throwing `Ended`. */
  exit(code?: number): never
  on(event: NodeJS.Signals, listener: () => void): unknown
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown
  once(event: NodeJS.Signals, listener: () => void): unknown
  off(event: NodeJS.Signals, listener: () => void): unknown
}

/** Thrown by `exit` where the command is no process of its own. */
export class Ended extends Error {}
