import { GrowingFile } from '../../src/files/growing-file.ts'
import { type RunningProxy, startProxy } from '../../src/proxy/start-proxy.ts'
import { harEnd, harStart, toHarEntry } from '../../src/traffic/write-har.ts'
import { ExchangeRedactor } from './redact-exchange.ts'

export interface ProxyOptions {
  /** Base URL of the server that answers. */
  readonly target: URL
  /** 0 takes a free port. */
  readonly port: number
  readonly host?: string | undefined
  /** Certificates that the target may be signed with, in PEM. */
  readonly ca?: string | undefined
  /** HAR file of the exchanges, without credentials. */
  readonly out?: string | undefined
}

/** A proxy that records its exchanges. */
export interface OpenProxy extends Pick<RunningProxy, 'url' | 'counts'> {
  /** Finishes requests in flight and completes the HAR file. */
  close(): Promise<void>
}

/**
 * Starts a proxy in front of a server, and writes its exchanges to a HAR file.
 *
 * @throws ListenError where it cannot listen, and Error where the file cannot be written.
 */
export async function openProxy({ out, ...options }: ProxyOptions): Promise<OpenProxy> {
  const frame = { start: harStart(), between: ',\n', end: harEnd }
  const file = out === undefined ? undefined : await GrowingFile.create(out, frame)
  const redactor = new ExchangeRedactor()
  const proxy = await startProxy({
    ...options,
    onExchange: (exchange) => file?.add(JSON.stringify(toHarEntry(redactor.redact(exchange)))),
  })
  return {
    url: proxy.url,
    counts: proxy.counts,
    async close() {
      await proxy.close()
      await file?.close()
    },
  }
}
