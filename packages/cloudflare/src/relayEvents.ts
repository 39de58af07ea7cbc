import { heartbeat, writeFrame } from '@interleave/connect/internal'
import type { Host } from '@interleave/core'
import { createUnfinished } from '@interleave/core/internal'
import { createBell } from '@interleave/server/internal'
import type { BellMessage } from './bells.ts'
import type { ClientSocket } from './durableContext.ts'

/** A position in a log. */
export interface ReadTo {
  /** The `seq` of the next event. */
  readonly next: number
  /** When the one before was. */
  readonly at: number | undefined
}

/** Whole frames of a stream of server-sent events, as they are. */
interface FrameReader {
  readonly texts: AsyncGenerator<FrameText, void>
  cancel(): void
}

export interface FrameText {
  readonly text: string
  /** The frame of its last durable event. */
  readonly last: string | undefined
  /** It says that the run is gone. */
  readonly isGone: boolean
}

export function readFrames(stream: ReadableStream<Uint8Array>): FrameReader {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  const unfinished = createUnfinished(/\n\n/, 2)
  async function* read(): AsyncGenerator<FrameText, void> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Of a frame that is cut off nothing is told: what was in it comes again.
      const text = unfinished.add(decoder.decode(value, { stream: true }))
      if (text === undefined) continue
      const end = text.lastIndexOf('\n\n') + 2
      unfinished.keep(text.slice(end))
      yield look(text.slice(0, end))
    }
  }
  return { texts: read(), cancel: () => void reader.cancel().catch(() => {}) }
}

function look(text: string): FrameText {
  const begin = text.startsWith('id: ') ? 0 : undefined
  const found = text.lastIndexOf('\n\nid: ')
  const place = found < 0 ? begin : found + 2
  const isGone = text.startsWith('event: gone\n') || text.includes('\n\nevent: gone\n')
  return { text, last: place === undefined ? undefined : text.slice(place), isGone }
}

/** Returns the position after this frame. */
export function readTo(frame: string): ReadTo {
  const [, json = '{}'] = /^id: \d+\ndata: (.*)\n/.exec(frame) ?? []
  const { seq, at } = JSON.parse(json) as { readonly seq: number; readonly at: number }
  return { next: seq + 1, at }
}

export interface RelayOptions {
  readonly host: Pick<Host, 'timer'>
  readonly heartbeatMs: number
  /** Also after a rest. */
  readonly follows: boolean
  /** Streams the object's events until it next settles. */
  readonly openEvents: (from: ReadTo) => Promise<ReadableStream<Uint8Array>>
  /** Opens the notifier of new events. */
  readonly openBell: (from: ReadTo) => Promise<ClientSocket>
}

export interface Relay {
  readonly texts: AsyncGenerator<string, void>
  /** Nobody reads any more. */
  end(): void
}

/**
 * Relays events of a run in another object, also across pauses. While the run works, its object streams. While it is
 * paused, only a WebSocket connects to it, which does not keep it in memory, and heartbeats are sent here.
 */
export function relayEvents(first: ReadableStream<Uint8Array>, from: ReadTo, options: RelayOptions): Relay {
  const { host, heartbeatMs, follows, openEvents, openBell } = options
  const bell = createBell(host)
  const calls: string[] = []
  let last: string | undefined
  let isDue = false
  let isOver = false
  let endReading = (): void => leave(first)
  let socket: ClientSocket | undefined

  const place = (): ReadTo => (last === undefined ? from : readTo(last))
  const hear = (message: BellMessage): void => {
    if (message.type === 'call') calls.push(writeFrame({ name: 'call', data: message.call }))
    else isDue = true
    bell.ring()
  }
  const listen = async (): Promise<void> => {
    const opened = await openBell(place())
    socket = opened
    const lose = (): void => {
      if (socket !== opened) return
      socket = undefined
      hear({ type: 'more' })
    }
    opened.addEventListener('message', ({ data }) => hear(JSON.parse(String(data)) as BellMessage))
    opened.addEventListener('close', lose)
    opened.addEventListener('error', lose)
    opened.accept()
    if (isOver) opened.close()
  }
  async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, boolean> {
    const frames = readFrames(stream)
    endReading = frames.cancel
    for await (const { text, last: latest = last, isGone } of frames.texts) {
      last = latest
      yield text
      if (isGone) return true
    }
    return false
  }
  async function* relay(): AsyncGenerator<string, void> {
    for (let stream = first; ; stream = await openEvents(place())) {
      // Its reader may be gone since it was asked for.
      if (isOver) return leave(stream)
      isDue = false
      const isGone = yield* read(stream)
      if (isGone || !follows || isOver) return
      if (!socket) await listen()
      while (!isDue && !isOver) {
        await bell.wait(heartbeatMs)
        if (!isDue && !isOver) yield calls.splice(0).join('') || heartbeat
      }
      if (isOver) return
    }
  }
  return {
    texts: relay(),
    end() {
      isOver = true
      endReading()
      socket?.close()
      bell.ring()
    },
  }
}

/** It would keep the object in memory. */
const leave = (stream: ReadableStream<Uint8Array>): void => void stream.cancel().catch(() => {})
