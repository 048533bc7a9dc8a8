/** Calls a listener with the data of each server-sent event, until the stream ends or the caller aborts it. */
export async function follow<Data>(
  stream: ReadableStream<Uint8Array>,
  listener: (data: Data) => void,
): Promise<void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    // Reading fails if the server stops or the caller aborts; neither is an error here.
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
