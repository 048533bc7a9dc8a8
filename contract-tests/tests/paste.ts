import { execFile } from 'node:child_process'

const environment = {
  PATH: process.env.PATH,
  UNDERSTUDY_API_KEY: 'contract-key',
  UNDERSTUDY_EMAIL: 'judge@example.com',
  UNDERSTUDY_PASSWORD: 'gavel-and-robe',
}

/** Pastes a script into a shell, as a person does. */
export function paste(script: string): Promise<{ out: string; err: string }> {
  return new Promise((resolve) => {
    const shell = execFile('bash', ['-s'], { env: environment }, (_, out, err) => resolve({ out, err }))
    shell.stdin?.end(script)
  })
}
