import type { AgentHandle, Run } from '@interleave/core'
import { checkHandle, checkOptions, Queues, shownRun } from '@interleave/core/internal'
import type { ChatTransport, UIMessage } from 'ai'
import { shownChat } from './chat.ts'
import { ChatRuns, type ChatRunsOptions } from './chatRuns.ts'
import { type ChatStreamOptions, chatStream } from './chatStream.ts'
import type { Chunk, EndOptions } from './messageChunks.ts'
import type { RunUIMessage } from './runUIMessage.ts'
import { send } from './send.ts'
import { answersAfter, latestAnswer, type Position, positionOf, type Showing } from './showing.ts'
import { messagesOfChat } from './toUIMessages.ts'

export interface ChatTransportOptions extends ChatRunsOptions, Pick<EndOptions, 'onError'> {
  /**
   * The effect of aborting the stream, as by `stop()` of `useChat` or by unmounting it. By default the run stops,
   * because the button says so; with `detach` it continues.
   */
  onAbort?: 'stop' | 'detach'
}

/** A transport for `useChat` and for libraries that build on it. */
export interface RunTransport extends ChatTransport<UIMessage> {
  /** Returns all messages of a chat, for `useChat({ messages })`; none if there is no such chat. */
  messages(chatId: string): Promise<RunUIMessage[]>
  /** Stops the run of a chat, even if no stream of it is read. */
  stop(chatId: string, reason?: string): Promise<void>
  /** Returns the run behind a chat. */
  run(chatId: string): Promise<Run | undefined>
}

/**
 * Connects an agent to `useChat`: the chat's id is the run's id, and the chat shows the log. After a reload, `resume:
 * true` continues in the middle of an answer.
 *
 * @example
 * const transport = chatTransport(guide, { journal: indexedDbJournal() })
 * const messages = await transport.messages(id) // Before the component that calls useChat is shown.
 * const chat = useChat({ id, transport, messages, resume: true })
 */
export function chatTransport(agent: AgentHandle, options: ChatTransportOptions = {}): RunTransport {
  checkOptions('chatTransport()', options, ['journal', 'host', 'observers', 'onAbort', 'onError'])
  checkHandle(agent, 'chatTransport()')
  const { onAbort = 'stop', onError, ...runOptions } = options
  const runs = new ChatRuns(agent, runOptions)
  const queues = new Queues()
  /** The end position of each chat. Later events are streamed when the chat reconnects. */
  const positions = new Map<string, Position>()
  const stream = (run: Run, showing: Showing, given: ChatStreamOptions): ReadableStream<Chunk> => {
    const stop = (): void => void run.stop()
    if (onAbort === 'stop') given.signal?.addEventListener('abort', stop, { once: true })
    const signal = AbortSignal.any([runs.replacedSignal(run), ...(given.signal ? [given.signal] : [])])
    return chatStream(run, showing, { ...given, signal, ...(onError && { onError }) })
  }

  return {
    resumeStreamIsReplay: true,
    sendMessages: ({ abortSignal, ...request }) =>
      queues.run(request.chatId, async () => {
        abortSignal?.throwIfAborted()
        positions.delete(request.chatId)
        const { run, showing, ...sent } = await send(runs, request)
        if (abortSignal?.aborted && onAbort === 'stop') await run.stop()
        return stream(run, showing, { ...sent, ...(abortSignal && { signal: abortSignal }) })
      }),
    // An early abort means that the component was removed again, such as when React mounts twice.
    reconnectToStream: ({ chatId, abortSignal }) =>
      queues.run(chatId, async () => {
        const run = await runs.findRun(chatId)
        if (!run) return null
        const position = positions.get(chatId)
        const { signal, seq } = shownRun(run).state
        const isWhole = !position || (position.runId === run.id && position.seq >= seq)
        if (signal && isWhole) return null
        return stream(run, position ? answersAfter(position) : latestAnswer, {
          isMany: true,
          ...(abortSignal && { signal: abortSignal }),
        })
      }),
    async messages(chatId) {
      const run = await runs.findRun(chatId)
      if (!run) return []
      const chat = shownChat(run)
      positions.set(chatId, positionOf(chat))
      return messagesOfChat(chat)
    },
    async stop(chatId, reason) {
      const run = await runs.findRun(chatId)
      await run?.stop(reason)
    },
    run: (chatId) => runs.findRun(chatId),
  }
}
