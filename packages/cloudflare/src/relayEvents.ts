import { heartbeat, Notifier, UnfinishedText, writeFrame } from '@interleave/connect/internal'
import type { Host } from '@interleave/core'
import type { ClientSocket } from './durableContext.ts'
import type { WakeMessage } from './wakeSockets.ts'

export interface Position {
  /** The `seq` of the next event. */
  readonly next: number
  /** The time of the previous event. */
  readonly at: number | undefined
}

/** Reads whole frames from a stream of server-sent events. */
interface FrameReader {
  readonly texts: AsyncGenerator<FrameText, void>
  cancel(): void
}

export interface FrameText {
  readonly text: string
  /** The frame of its last durable event. */
  readonly last: string | undefined
  /** True if a frame says that the run was deleted. */
  readonly isGone: boolean
}

export function readFrames(stream: ReadableStream<Uint8Array>): FrameReader {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const unfinished = new UnfinishedText(/\n\n/, 2)
  async function* read(): AsyncGenerator<FrameText, void> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // An incomplete frame is dropped: the next stream repeats its content.
      const text = unfinished.addChunk(decoder.decode(value, { stream: true }))
      if (text === undefined) continue
      const end = text.lastIndexOf('\n\n') + 2
      unfinished.restart(text.slice(end))
      yield parseFrames(text.slice(0, end))
    }
  }
  return { texts: read(), cancel: () => void reader.cancel().catch(() => {}) }
}

function parseFrames(text: string): FrameText {
  const begin = text.startsWith('id: ') ? 0 : undefined
  const separator = text.lastIndexOf('\n\nid: ')
  const start = separator < 0 ? begin : separator + 2
  const isGone = text.startsWith('event: gone\n') || text.includes('\n\nevent: gone\n')
  return { text, last: start === undefined ? undefined : text.slice(start), isGone }
}

/** Returns the position after this frame. */
export function positionAfter(frame: string): Position {
  const [, json = '{}'] = /^id: \d+\ndata: (.*)\n/.exec(frame) ?? []
  const { seq, at } = JSON.parse(json) as { readonly seq: number; readonly at: number }
  return { next: seq + 1, at }
}

export interface RelayOptions {
  readonly host: Pick<Host, 'timer'>
  readonly heartbeatMs: number
  /** True if the relay continues after the run has settled. */
  readonly follows: boolean
  /** Streams the object's events until it next settles. */
  readonly openEvents: (from: Position) => Promise<ReadableStream<Uint8Array>>
  /** Opens the WebSocket that reports when there is more. */
  readonly openWakeSocket: (from: Position) => Promise<ClientSocket>
}

/** Relays events of a run in another object. While it is paused, only a WebSocket connects to it. */
export class EventRelay {
  readonly texts: AsyncGenerator<string, void>
  readonly #from: Position
  readonly #options: RelayOptions
  readonly #notifier: Notifier
  /** Calls for the client, as frames. */
  readonly #calls: string[] = []
  /** The frame of the last durable event. */
  #last: string | undefined
  #isDue = false
  #isOver = false
  #socket: ClientSocket | undefined
  #endReading: () => void

  constructor(first: ReadableStream<Uint8Array>, from: Position, options: RelayOptions) {
    this.#from = from
    this.#options = options
    this.#notifier = new Notifier(options.host)
    this.#endReading = () => leave(first)
    this.texts = this.#relay(first)
  }

  /** Closes the relay after its reader has left. */
  close(): void {
    this.#isOver = true
    this.#endReading()
    this.#socket?.close()
    this.#notifier.notify()
  }

  get #position(): Position {
    return this.#last === undefined ? this.#from : positionAfter(this.#last)
  }

  async *#relay(first: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
    const { follows, heartbeatMs, openEvents } = this.#options
    for (let stream = first; ; stream = await openEvents(this.#position)) {
      // The reader may have left since it was requested.
      if (this.#isOver) return leave(stream)
      const isGone = yield* this.#read(stream)
      if (isGone || !follows || this.#isOver) return
      if (!this.#socket) await this.#listen()
      while (!this.#isDue && !this.#isOver) {
        await this.#notifier.next(heartbeatMs)
        if (!this.#isDue && !this.#isOver) yield this.#calls.splice(0).join('') || heartbeat
      }
      if (this.#isOver) return
      // Before the next stream is opened: the object may have more after that stream, and say so first.
      this.#isDue = false
    }
  }

  async *#read(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, boolean> {
    const frames = readFrames(stream)
    this.#endReading = frames.cancel
    for await (const { text, last = this.#last, isGone } of frames.texts) {
      this.#last = last
      yield text
      if (isGone) return true
    }
    return false
  }

  async #listen(): Promise<void> {
    const opened = await this.#options.openWakeSocket(this.#position)
    this.#socket = opened
    const lose = (): void => {
      if (this.#socket !== opened) return
      this.#socket = undefined
      this.#receive({ type: 'more' })
    }
    opened.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as WakeMessage))
    opened.addEventListener('close', lose)
    opened.addEventListener('error', lose)
    opened.accept()
    if (this.#isOver) opened.close()
  }

  #receive(message: WakeMessage): void {
    if (message.type === 'call') this.#calls.push(writeFrame({ name: 'call', data: message.call }))
    else this.#isDue = true
    this.#notifier.notify()
  }
}

/** Cancels a stream that would keep the object in memory. */
const leave = (stream: ReadableStream<Uint8Array>): void => void stream.cancel().catch(() => {})
