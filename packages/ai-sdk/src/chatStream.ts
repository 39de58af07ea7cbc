import type { Run } from '@interleave/core'
import { checkEvents, checkRun, draftEvents, shownRun } from '@interleave/core/internal'
import { type AnyEvent, eventsOf, userMessageOf } from '@interleave/core/observe'
import { Chat } from './chat.ts'
import { type Chunk, type EndOptions, MessageChunks } from './messageChunks.ts'
import type { MessageView } from './messageView.ts'
import { latestAnswer, type Showing } from './showing.ts'

export interface ChatStreamOptions extends EndOptions {
  /** The number of steps of the first answer that the chat has already. */
  known?: number
  /** True if it includes the answers after the first. */
  isMany?: boolean
  /** Ends the stream, but not the run. */
  signal?: AbortSignal
}

/** Streams the answers of a run: first the existing part, then live, until the run settles. */
export function chatStream(run: Run, showing: Showing, options: ChatStreamOptions = {}): ReadableStream<Chunk> {
  const shown = shownRun(run)
  const { state, fault } = shown
  const events = eventsOf(shown.source, { follow: true })[Symbol.asyncIterator]()
  // If a run hides its reasoning, its streaming text is held back.
  const draft = state.exposeReasoning === false || fault ? undefined : state.draft
  const past = { length: state.seq + (fault ? 1 : 0), live: draftEvents(draft) }
  const leave = (): void => void events.return?.()
  options.signal?.addEventListener('abort', leave, { once: true })
  if (options.signal?.aborted) leave()
  const chunks = chunksOf({ events, past }, showing, options)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else for (const chunk of value) controller.enqueue(chunk)
    },
    cancel: leave,
  })
}

interface Source {
  readonly events: AsyncIterator<AnyEvent>
  readonly past: { readonly length: number; readonly live: readonly AnyEvent[] }
}

async function* chunksOf(
  { events, past }: Source,
  showing: Showing,
  options: ChatStreamOptions,
): AsyncGenerator<readonly Chunk[], undefined> {
  const chat = new Chat()
  while (chat.state.seq < past.length) {
    const { done, value } = await events.next()
    if (done) return
    chat.add(value)
  }
  for (const event of past.live) chat.add(event)
  const writer = new AnswerWriter(chat, showing, options)
  for (;;) {
    const chunks = writer.pendingChunks()
    if (!chunks) return yield [...writer.finalChunks(), retracted]
    if (chunks.length > 0) yield chunks
    if (writer.hasNext) continue
    if (writer.isOver) {
      // A stream calls `pull` again only after it has received a chunk.
      const last = writer.finalChunks()
      if (last.length > 0) yield last
      return
    }
    const { done, value } = await events.next()
    if (done) return
    chat.add(value)
    if (value.type === 'retrying') yield [retryingChunk(value)]
  }
}

const stepCount = ({ steps }: MessageView): number => steps.reduce((count, { length }) => count + length, 0)

/** Reports that a whole step was withdrawn. The AI SDK has no chunk for that. */
const retracted: Chunk = { type: 'error', errorText: 'The run continued elsewhere. Reload the chat.' }

/** Writes the answers of a chat, one after the other, as far as they are known. */
class AnswerWriter {
  readonly #chat: Chat
  readonly #showing: Showing
  readonly #options: ChatStreamOptions
  #shown: { readonly view: MessageView; readonly chunks: MessageChunks } | undefined
  #isPast = false
  /** True if there is more to write, without a further event. */
  hasNext = false

  constructor(chat: Chat, showing: Showing, options: ChatStreamOptions) {
    this.#chat = chat
    this.#showing = showing
    this.#options = options
  }

  get isOver(): boolean {
    return this.#chat.state.signal !== undefined || this.#isPast
  }

  /** Returns the pending chunks. Undefined if too much was already sent. */
  pendingChunks(): readonly Chunk[] | undefined {
    const found = this.#showing(this.#chat)
    this.hasNext = found?.hasNext === true
    if (!found) return []
    if (found.isUnknown) return undefined
    const { view } = found
    const { isMany, known = 0 } = this.#options
    const shown = this.#shown
    const isNext = shown !== undefined && view.id !== shown.view.id
    this.#isPast = !isMany && (found.isPast || isNext)
    if (isNext && this.#isPast) return []
    if (shown && !isNext && stepCount(view) < stepCount(shown.view)) return undefined
    const ended = isNext ? this.finalChunks() : []
    const chunks = shown && !isNext ? shown.chunks : new MessageChunks(shown ? 0 : known)
    this.#shown = { view, chunks }
    return [...ended, ...chunks.to(view)]
  }

  finalChunks(): readonly Chunk[] {
    return this.#shown?.chunks.end(this.#options) ?? []
  }
}

/**
 * Streams a run's current answer in the AI SDK's format, from its beginning until the run settles. Cancelling the
 * stream does not stop the run.
 *
 * @example
 * return createUIMessageStreamResponse({ stream: toUIMessageStream(guide.start(question)) })
 */
export function toUIMessageStream(run: Run, options: Pick<EndOptions, 'onError'> = {}): ReadableStream<Chunk> {
  checkRun(run, 'toUIMessageStream()')
  return chatStream(run, latestAnswer, options)
}

/** Generates the UI message chunks of a run's answers. Discarded output of a failed attempt is withdrawn. */
export function uiMessageChunks(
  events: Iterable<AnyEvent>,
  options: Pick<EndOptions, 'onError'> = {},
): Generator<Chunk, undefined> {
  checkEvents(events, 'uiMessageChunks()')
  return answerChunks(events, options)
}

function* answerChunks(events: Iterable<AnyEvent>, options: Pick<EndOptions, 'onError'>): Generator<Chunk, undefined> {
  const chat = new Chat()
  const writer = new AnswerWriter(chat, latestAnswer, { ...options, isMany: true })
  for (const event of events) {
    chat.add(event)
    if (event.type === 'retrying') yield retryingChunk(event)
    yield* writer.pendingChunks() ?? []
  }
  yield* writer.finalChunks()
}

/** The chunk for `onData`, which is part of no message. */
const retryingChunk = ({ attempt, inMs, error }: Extract<AnyEvent, { type: 'retrying' }>): Chunk => ({
  type: 'data-retrying',
  data: { attempt, inMs, message: userMessageOf(error) },
  transient: true,
})
