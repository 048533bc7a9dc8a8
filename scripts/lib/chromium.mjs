import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '../../node_modules')

/**
 * Unpacks the Chromium of the npm package, once for each version. Returns the options with which Playwright launches it;
 * it writes its temporary files into the folder.
 */
export async function unpackChromium(folder) {
  const place = await unpackOnce()
  return {
    executablePath: join(place, 'chromium'),
    env: { ...process.env, TMPDIR: folder, LD_LIBRARY_PATH: join(place, 'al2023/lib') },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  }
}

async function unpackOnce() {
  const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8'))
  const cache = join(modules, '.cache')
  const place = join(cache, `chromium-${version}`)
  if (existsSync(place)) return place
  mkdirSync(cache, { recursive: true })
  const draft = mkdtempSync(`${place}-`)
  const unpack = `import('@sparticuz/chromium').then((module) => module.default.executablePath())`
  // The package unpacks into the temporary folder, and its libraries, which may be missing on a machine, only if it detects
  // this runtime's name.
  const env = { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  execFileSync(process.execPath, ['--eval', unpack], { cwd: modules, env })
  try {
    renameSync(draft, place)
  } catch (error) {
    rmSync(draft, { recursive: true })
    // Another run has unpacked it meanwhile.
    if (!existsSync(place)) throw error
  }
  return place
}
