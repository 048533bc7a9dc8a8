import { type Command, Option } from '@commander-js/extra-typings'
import { reportNames } from '../../contract-tests/reports/report-names.ts'
import { profiles } from '../profiles/index.ts'
import { defaultHost, defaultProxyPort } from '../shared/addresses.ts'
import { withoutTrailingSlashes } from '../shared/urls.ts'
import { namesWithFiles, wholeNumber } from './options.ts'
import { print, printReport } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { readCertificate } from './read-certificate.ts'

/** Adds the command `proxy` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('proxy')
    .description('check and record requests of an app to a server')
    .argument('<url>', 'base URL of the server, without /api')
    .option(
      '--port <number>',
      'port to listen on; 0 picks a free port',
      wholeNumber(0, 65_535),
      defaultProxyPort,
    )
    .option('--host <address>', 'address to listen on', defaultHost)
    .option('--ca <file>', 'PEM file of a certificate authority to trust')
    .option('--out <file>', 'write the traffic to a HAR file')
    .option('--report <name=file...>', `write reports: ${reportNames.join(', ')}`, namesWithFiles)
    .option('--client', 'also report mistakes of the client')
    .addOption(new Option('--fail-on <result>', 'exit with 1 if there are findings').choices(['findings']))
    .addOption(new Option('--profile <name>', 'the real server that answers').choices(Object.keys(profiles)))
    .action(async (url, { port, host, ca, out, client, report: reports, failOn, profile }) => {
      const { openProxy, serveReport, terminalReport } = await import('../../contract-tests/proxy/index.ts')
      const certificates = ca === undefined ? undefined : readCertificate(ca)
      const proxy = await openProxy({
        ...{ target: url, port, host, ca: certificates, out, client, reports, profile },
        onViolation: ({ id, claim }, request) => print(io, `Violated by ${request}: ${id}. ${claim}`),
      })
      print(io, `Proxy at ${proxy.url} for ${withoutTrailingSlashes(url)}. Stop it with Ctrl+C.`)
      const page = await serveReport(proxy.report)
      print(io, `Report so far: ${page.url}`)
      await stopped(io)
      page.close()
      const { report, exitCode } = await proxy.close()
      printReport(io, terminalReport(report, { hasColour: io.stdout.isTTY === true }))
      const { exchanges, omittedBodies, hiddenBodies } = proxy.counts
      const omitted = omittedBodies === 0 ? '' : ` ${omittedBodies} bodies were too large to be recorded.`
      const wrote = out === undefined ? '' : ` Wrote ${out}.`
      const hid =
        hiddenBodies === 0
          ? ''
          : ` It hides ${hiddenBodies} bodies, whose redaction would have taken too long.`
      print(io, `Passed on ${exchanges} requests.${wrote}${hid}${omitted}`)
      if (failOn !== undefined) io.exitCode = exitCode
    })
}

function stopped(io: ProcessIo): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) io.once(signal, resolve)
  })
}
