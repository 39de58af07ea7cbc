export interface ReadText {
  readonly text: string
  /** There was more. */
  readonly isCut: boolean
}

/** A `ReadableStream` of bytes, of any platform. */
export interface ByteStream {
  getReader(): ByteReader
  cancel(): Promise<unknown>
}

export interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  cancel(): Promise<unknown>
}

/** The text of a response, up to so many bytes. What comes after them is not waited for. */
export async function readUpTo(
  maxBytes: number,
  { body }: { readonly body: ByteStream | null },
  signal: AbortSignal,
): Promise<ReadText> {
  if (!body) return { text: '', isCut: false }
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', leave)
  try {
    return await read(reader, maxBytes, signal)
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

async function read(reader: ByteReader, maxBytes: number, signal: AbortSignal): Promise<ReadText> {
  const decoder = new TextDecoder()
  let left = maxBytes
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done || !value) return { text: text + decoder.decode(), isCut: false }
    text += decoder.decode(value.subarray(0, left), { stream: true })
    if (value.byteLength > left) return { text, isCut: true }
    left -= value.byteLength
  }
}
