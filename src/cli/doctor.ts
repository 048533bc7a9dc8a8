import { type Command, Option } from '@commander-js/extra-typings'
import { defaultPort } from '../shared/default-address.ts'
import { secret, wholeNumber } from './options.ts'
import type { ProcessIo } from './process-io.ts'

/** Adds `pipeline-understudy doctor`. */
export function addDoctorCommand(program: Command, _: readonly string[], io: ProcessIo): void {
  program
    .command('doctor')
    .argument(
      '[place]',
      'the folder of a project, or the address of an understudy or of a proxy before it',
      '.',
    )
    .description('say what is wrong with a project or an address, and the way out')
    .option('--port <number>', 'where the project serves', wholeNumber(1, 65_535), defaultPort)
    .option('--server <url>', 'of an address: where the understudy itself listens, behind the proxy')
    .addOption(
      new Option('--admin-token <token>', 'of an address: what the understudy was given')
        .env('UNDERSTUDY_ADMIN_TOKEN')
        .argParser(secret),
    )
    .option('--json', 'the findings as JSON')
    .action(async (place, flags) => (await import('./run-doctor.ts')).runDoctor(place, flags, io))
}
