import { type Command, Option } from '@commander-js/extra-typings'
import { writeTextFile } from './files.ts'
import type { ProcessIo } from './process-io.ts'

/** Adds `understudy openapi`. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    // Else `--version` after the command's name would be the program's own.
    .enablePositionalOptions()
    .command('openapi')
    .description('print the OpenAPI document of the API')
    .addOption(
      new Option('--version <version>', 'of OpenAPI')
        .choices(['3.0', '3.1'] as const)
        .default('3.1' as const),
    )
    .addOption(
      new Option('--format <format>', 'default: json, or yaml where the file is named so').choices([
        'json',
        'yaml',
      ] as const),
    )
    .option('--out <file>', 'a file instead of standard output')
    .action(async ({ version, format, out }) => {
      const isYaml = format === undefined ? /\.ya?ml$/i.test(out ?? '') : format === 'yaml'
      const text = isYaml
        ? (await import('../openapi/openapi-yaml.ts')).openapiYaml(version)
        : (await import('../openapi/openapi-json.ts')).openapiJson(version)
      if (out === undefined) io.stdout.write(text)
      else await writeTextFile(out, text)
    })
}
