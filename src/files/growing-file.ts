import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { cannotWrite } from './write-file.ts'

export interface FileFrame {
  readonly start: string
  readonly between: string
  readonly end: string
}

/** Creates or empties a file. The open of a pipe does not wait for its reader. */
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NONBLOCK ?? 0)

/** A file whose list grows. It is complete after each write, so that a crash loses only the last items. */
export class GrowingFile {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #frame: FileFrame
  #pending: string
  #length = 0
  #items = 0
  #writing: Promise<void> | undefined
  #error: Error | undefined

  private constructor(path: string, handle: FileHandle, frame: FileFrame) {
    this.#path = path
    this.#handle = handle
    this.#frame = frame
    this.#pending = frame.start
  }

  /**
   * Creates or replaces a file that only its owner may read.
   *
   * @throws Error if the write fails.
   */
  static async create(path: string, frame: FileFrame): Promise<GrowingFile> {
    const handle = await open(path, flags, 0o600).catch((error: unknown) => {
      throw cannotWrite(path, error)
    })
    const file = new GrowingFile(path, handle, frame)
    await file.#flush()
    if (file.#error !== undefined) await file.close()
    return file
  }

  /** Adds an item. A failed write drops it; `close` throws then. */
  add(item: string): void {
    if (this.#error !== undefined) return
    this.#pending += `${this.#items++ === 0 ? '' : this.#frame.between}${item}`
    void this.#flush()
  }

  /**
   * Writes the last items and closes the file.
   *
   * @throws Error after a failed write.
   */
  async close(): Promise<void> {
    await this.#flush()
    await this.#handle.close()
    if (this.#error !== undefined) throw this.#error
  }

  #flush(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  /** Writes what is pending over the end of the file, and the end after it. */
  async #write(): Promise<void> {
    while (this.#pending !== '' && this.#error === undefined) {
      const text = this.#pending
      this.#pending = ''
      try {
        await this.#handle.write(text + this.#frame.end, this.#length)
        this.#length += Buffer.byteLength(text)
      } catch (error) {
        this.#error = cannotWrite(this.#path, error)
      }
    }
  }
}
