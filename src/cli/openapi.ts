import { type Command, Option } from '@commander-js/extra-typings'
import { writeUserFile } from '../files/write-file.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'

/** Adds the command `openapi` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    // Otherwise `--version` after the name of the command would print the version of the program.
    .enablePositionalOptions()
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .addOption(
      new Option('--version <version>', 'OpenAPI version')
        .choices(['3.0', '3.1'] as const)
        .default('3.1' as const),
    )
    .addOption(
      new Option('--format <format>', 'output format (default: by file name, or json)').choices([
        'json',
        'yaml',
      ] as const),
    )
    .option('--out <file>', 'write to a file instead of standard output')
    .action(async ({ version, format, out }) => {
      const isYaml = format === undefined ? /\.ya?ml$/i.test(out ?? '') : format === 'yaml'
      const text = isYaml
        ? (await import('../openapi/openapi-yaml.ts')).openapiYaml(version)
        : (await import('../openapi/openapi-json.ts')).openapiJson(version)
      if (out === undefined) print(io, text)
      else writeUserFile(out, text)
    })
}
