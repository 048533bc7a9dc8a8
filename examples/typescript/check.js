// Compiles the sources in each way of finding modules, declarations of the package included.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/typescript/package.json', import.meta.url), 'utf8'),
)
const major = Number.parseInt(version, 10)
const ways = [
  ['esnext', 'bundler'],
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  // TypeScript 7 has it no more, and 6 wants to be told that this is known.
  ...(major < 7 ? [['esnext', 'node10', ...(major === 6 ? ['--ignoreDeprecations', '6.0'] : [])]] : []),
]
const always = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--pretty', 'false']
const target = ['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable', '--types', 'node']

await Promise.all(
  ways.map(async ([module, resolution, ...more]) => {
    const way = ['--skipLibCheck', 'false', '--module', module, '--moduleResolution', resolution, ...more]
    // Vite has no types for node10.
    const sources = ['entries.ts', 'typed.ts', ...(resolution === 'node10' ? [] : ['with-vite.ts'])]
    const errors = await compile([...always, ...target, ...way, ...sources])
    // What is wrong within declarations of others is theirs.
    const ours = errors.filter((line) => !/^node_modules\/(?!pipeline-understudy\/)/.test(line))
    const theirs = errors.length - ours.length
    console.log(
      `TypeScript ${version}, ${resolution}: ${ours.length} errors, ${theirs} in packages of others`,
    )
    if (ours.length === 0) return
    console.error(ours.join('\n'))
    process.exitCode = 1
  }),
)

/** The errors that the compiler finds; it has not run where it has failed without a word. */
function compile(flags) {
  return new Promise((resolve, reject) => {
    const args = ['node_modules/typescript/bin/tsc', ...flags]
    execFile('node', args, { maxBuffer: 2 ** 26 }, (error, stdout) => {
      const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
      if (error !== null && errors.length === 0) reject(error)
      else resolve(errors)
    })
  })
}
