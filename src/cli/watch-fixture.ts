import { stat } from 'node:fs/promises'
import type { Understudy } from '../engine/create-understudy.ts'
import { reasonOf } from '../shared/understudy-error.ts'
import { naming } from './naming.ts'
import { fixturePath, readFixtureFile } from './read-fixture.ts'

const interval = 250

/** A fixture file, and its version at the last read. */
export interface WatchedFixture {
  readonly name: string
  version: string
}

export type Report = (event: 'loaded' | 'refused', text: string) => void

/** Prepares to watch a fixture file. Call it before reading the file. */
export async function startWatch(name: string): Promise<WatchedFixture> {
  return { name, version: await versionOf(name) }
}

/**
 * Reloads the fixture when its file changes, until a call of the returned function. It logs an invalid file, and the
 * state remains. Polls the path, which also works for symbolic links, replaced folders and mounted ConfigMaps.
 */
export function watchFixture(file: WatchedFixture, understudy: Understudy, report: Report): () => void {
  let isOver = false
  const poll = async () => {
    const version = await versionOf(file.name)
    if (isOver) return
    if (version !== file.version) {
      file.version = version
      await reload(file.name, understudy, report)
    }
    setTimeout(poll, interval).unref()
  }
  void poll()
  return () => {
    isOver = true
  }
}

async function reload(name: string, understudy: Understudy, report: Report): Promise<void> {
  try {
    const fixture = readFixtureFile(name)
    await naming({ fixture: name }, () => understudy.import(fixture, { asStart: true }))
    const others = understudy.worlds.list().length - 1
    report('loaded', `Reloaded ${name}.${others === 0 ? '' : ` Unchanged other worlds: ${others}.`}`)
  } catch (error) {
    report('refused', `${reasonOf(error)} The state is unchanged.`)
  }
}

/** Returns a version of the file at the path of a fixture, which changes with the file. */
async function versionOf(name: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(fixturePath(name), { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join()
  } catch {
    return 'nothing'
  }
}
