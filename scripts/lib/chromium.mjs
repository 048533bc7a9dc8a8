import { join } from 'node:path'

/** Unpacks the Chromium that npm brings into a folder; gives the options that Playwright launches it with. */
export async function unpackChromium(folder) {
  const before = { ...process.env }
  // The package unpacks into the temporary folder, and its libraries, which a bare machine lacks, only where it sees
  // this runtime's name.
  process.env.TMPDIR = folder
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    return {
      executablePath: await chromium.executablePath(),
      env: { ...before, TMPDIR: folder, LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
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
  } finally {
    process.env = before
  }
}
