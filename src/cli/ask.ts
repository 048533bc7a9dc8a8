import { printable } from '../shared/printable.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { chooseRunner } from './project/plan-start.ts'
import type { Project, Runner } from './project/project.ts'

/** Questions that `init` asks; `--yes` and `--dry-run` skip them. */
export interface Asking {
  runner(project: Project): Promise<Runner>
  mayBegin(text: string): Promise<boolean>
  mayReplace(path: string): Promise<boolean>
  end(): void
}

/** Answers of a user who is not asked. */
export const askNobody: Asking = {
  runner: async (project) => chooseRunner(project),
  mayBegin: async () => true,
  mayReplace: async () => false,
  end: () => undefined,
}

/** Asks at the terminal. End of input or Ctrl-C ends the command. */
export async function openQuestions(io: ProcessIo): Promise<Asking> {
  const { createInterface } = await import('node:readline')
  const terminal = createInterface({ input: process.stdin, output: io.stdout })
  const lines = terminal[Symbol.asyncIterator]()
  const stop = (): never => {
    print(io, '\nStopped. No more files are written.')
    return io.exit(130)
  }
  terminal.once('SIGINT', stop)
  const ask = async (question: string): Promise<string> => {
    terminal.setPrompt(`${printable(question)} `)
    terminal.prompt()
    const { value, done } = await lines.next()
    return done ? stop() : value.trim().toLowerCase()
  }
  const confirm = async (question: string, isUsual: boolean): Promise<boolean> => {
    for (;;) {
      const answer = await ask(`${question} ${isUsual ? '[Y/n]' : '[y/N]'}`)
      if (answer === '') return isUsual
      if (/^y(es)?$/.test(answer)) return true
      if (/^no?$/.test(answer)) return false
      print(io, 'Please answer y or n.')
    }
  }
  return {
    async runner(project) {
      const { runners } = project
      if (runners.length < 2) return chooseRunner(project)
      for (;;) {
        const answer = await ask(`Which runner is the first test for: ${runners.join(', ')}? [${runners[0]}]`)
        const found = runners.find((runner) => runner === (answer || runners[0]))
        if (found !== undefined) return found
        print(io, `Please answer ${runners.join(' or ')}.`)
      }
    },
    mayBegin: (question) => confirm(question, true),
    mayReplace: (path) => confirm(`${path} has different content. Replace it?`, false),
    end: () => terminal.close(),
  }
}
