/** Calls a listener with the data of each event of a stream of server-sent events, until the stream ends or is aborted. */
export async function follow<Data>(
  stream: ReadableStream<Uint8Array>,
  listener: (data: Data) => void,
): Promise<void> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let text = ''
  for (;;) {
    // It breaks off where the server stops, and where it is ended here: neither is an error.
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (value === undefined) return
    text += value
    const events = text.split('\n\n')
    text = events.pop()!
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      if (data !== undefined) listener(JSON.parse(data.slice('data: '.length)) as Data)
    }
  }
}
