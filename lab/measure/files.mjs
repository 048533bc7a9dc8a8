import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Lists the files below `folder` that git tracks or would add, without deleted ones. */
export function trackedFiles(root, folder = '.') {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', folder], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  return output.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}
