/** Calls a listener with the data of each event of a stream of server-sent events, until the stream ends or is aborted. */
export async function follow<Data>(
  stream: ReadableStream<Uint8Array>,
  listener: (data: Data) => void,
): Promise<void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    // It breaks off where the server stops, and where it is ended here: neither is an error.
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (value === undefined) return
    text += decoder.decode(value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '))
      if (data === undefined) continue
      const parsed: Data = JSON.parse(data.slice('data: '.length))
      listener(parsed)
    }
  }
}
