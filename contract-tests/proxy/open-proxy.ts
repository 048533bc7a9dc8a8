import { GrowingFile } from '../../src/files/growing-file.ts'
import { type RunningProxy, startProxy } from '../../src/proxy/start-proxy.ts'
import { realTime } from '../../src/shared/real-time.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import { harEnd, harStart, toHarEntry } from '../../src/traffic/write-har.ts'
import type { Report } from '../reports/report.ts'
import { checkReports, type Verified } from '../verify/finish.ts'
import { type VerifyRecordingsOptions, verifyRecordings } from '../verify/verify-traffic.ts'
import { ExchangeQueue } from './exchange-queue.ts'
import { readTarget } from './read-target.ts'
import { ExchangeRedactor } from './redact-exchange.ts'

export interface ProxyOptions {
  /** Base URL of the server that answers. */
  readonly target: string
  /** 0 takes a free port. */
  readonly port: number
  readonly host?: string | undefined
  /** Certificate authorities of the target, in PEM. */
  readonly ca?: string | undefined
  /** HAR file of the exchanges, without credentials. */
  readonly out?: string | undefined
  /** Name of the profile of the target, whose known deviations are no findings. */
  readonly profile?: string | undefined
  /** Also reports mistakes of the clients. */
  readonly client?: boolean | undefined
  /** Called at the first violation of a rule, with the request. */
  readonly onViolation?: VerifyRecordingsOptions['onViolation']
  /** Files of reports, by format. */
  readonly reports?: Readonly<Record<string, string>> | undefined
}

/** A proxy that records and checks its exchanges. */
export interface OpenProxy extends Pick<RunningProxy, 'url'> {
  readonly counts: RunningProxy['counts'] & {
    /** Number of bodies that the file does not show, because their redaction would delay the end. */
    readonly hiddenBodies: number
  }
  /** Returns the result so far; `undefined` until the checks have started. */
  report(): Report | undefined
  /** Finishes requests in flight, completes the HAR file, and returns the result of the checks. */
  close(): Promise<Verified>
}

/** Milliseconds for the redaction of exchanges that wait when the proxy ends. */
const redactionMilliseconds = 5_000

/**
 * Starts a proxy in front of a server. It checks its exchanges as `verify` checks recorded traffic, and writes them to a
 * HAR file.
 *
 * @throws ListenError if it cannot listen, and Error if the target is invalid or writing a file fails.
 */
export async function openProxy(given: ProxyOptions): Promise<OpenProxy> {
  const { out, profile, reports, client, onViolation, ...options } = given
  const address = readTarget(options.target)
  checkReports(reports)
  const frame = { start: harStart(), between: ',\n', end: harEnd }
  const file = out === undefined ? undefined : await GrowingFile.create(out, frame)
  const redactor = new ExchangeRedactor()
  const queue = new ExchangeQueue()
  let hiddenBodies = 0
  let deadline = Number.POSITIVE_INFINITY
  const redact = (exchange: RecordedExchange) => {
    if (realTime() < deadline) return redactor.redact(exchange)
    hiddenBodies += [exchange.request, exchange.reply].filter((message) => message?.body !== undefined).length
    return redactor.redactWithoutBodies(exchange)
  }
  const proxy = await startProxy({
    ...options,
    target: address,
    async onExchange(exchange) {
      file?.add(JSON.stringify(toHarEntry(redact(exchange))))
      await queue.add(exchange)
    },
  })
  const target = address.origin
  const command = `pipeline-understudy proxy ${target}`
  let report: () => Report | undefined = () => undefined
  const onStart = (reportSoFar: () => Report) => {
    report = reportSoFar
  }
  const checks = { profile, reports, client, onViolation, onStart }
  const verified = verifyRecordings({ recordings: [queue], target, command, ...checks })
  // `close` reports the failure. Until then, the proxy passes requests on.
  verified.catch(() => queue.abandon())
  return {
    url: proxy.url,
    get counts() {
      return { ...proxy.counts, hiddenBodies }
    },
    report: () => report(),
    async close() {
      deadline = realTime() + redactionMilliseconds
      await proxy.close()
      queue.close()
      await file?.close()
      return verified
    },
  }
}
