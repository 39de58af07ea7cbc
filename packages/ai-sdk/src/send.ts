import { AgentError, type Ask, type Run } from '@interleave/core'
import { assertOption, DEV, durable, keyOf, plainContent, sameJson } from '@interleave/core/internal'
import { isKept } from '@interleave/core/observe'
import type { UIMessage } from 'ai'
import { type Chat, shownChat } from './chat.ts'
import type { ChatRuns } from './chatRuns.ts'
import { fromUIMessages, fromUserParts } from './fromUIMessages.ts'
import { type Block, isAnswer, type ToolBlock, type UserItem } from './messageView.ts'
import type { RepliesBody } from './runUIMessage.ts'
import { answerTo, continuedAnswer, type Showing } from './showing.ts'

/** Handles a request of a chat: starts its run, sends a message, replies to questions, or answers again. */
export async function send(runs: ChatRuns, request: ChatRequest): Promise<Sending> {
  const run = await runs.findRun(request.chatId)
  if (!run) return startChat(runs, request)
  if (request.trigger === 'regenerate-message') return answerAgain(runs, run, request)
  const replies = repliesIn(request, shownChat(run))
  for (const { ask, value } of replies) await run.reply(ask, value)
  const last = request.messages.at(-1)
  if (last?.role === 'user') return say(runs, run, request)
  const isIdle = replies.length === 0 && run.state.signal !== undefined
  return { run, isIdle, ...continueFrom(run, request) }
}

/** Omits a message that the run already has. If its content has changed, a new run is forked there. */
async function say(runs: ChatRuns, run: Run, { chatId, messages }: ChatRequest): Promise<Sending> {
  const message = messages.at(-1) as UIMessage
  const content = plainContent(fromUserParts(message))
  const said = usersIn(shownChat(run)).find(({ id }) => id === message.id)
  const showing = answerTo(message.id)
  if (said && !sameJson(said.content, content))
    return { run: await runs.forkRun(chatId, run, { at: said.seq, edit: { content } }), showing }
  if (!said) {
    checkNotWaiting(run)
    await run.say(content, { key: message.id })
  }
  return { run, showing }
}

const usersIn = ({ items, waiting }: Chat): readonly UserItem[] =>
  [...items, ...waiting].filter((item) => item.role === 'user')

/** Throws if the run waits for an answer, since it would receive the message only after that. */
function checkNotWaiting({ state: { signal } }: Run): void {
  if (signal?.type !== 'inputNeeded') return
  const prompts = signal.asks.map(({ prompt }) => `"${prompt}"`).join(', ')
  throw new AgentError(
    'run_busy',
    `The run waits for an answer to ${prompts}. Answer it first; useChat({ experimental_queue: true }) keeps messages until then.`,
  )
}

function continueFrom(run: Run, { messages, messageId }: ChatRequest): Pick<Sending, 'showing' | 'known'> {
  const message = messages.find(({ id }) => id === messageId) ?? messages.at(-1)
  const known = message?.parts.filter(({ type }) => type === 'step-start').length ?? 0
  const { items } = shownChat(run)
  const answer = items.find(({ id }) => id === message?.id) ?? items.findLast(({ role }) => role === 'assistant')
  return { showing: continuedAnswer(answer?.id ?? '', new Set(messages.map(({ id }) => id))), known }
}

/** Starts the run of a chat with its last message. Earlier messages are the history. */
function startChat(runs: ChatRuns, { chatId, messages }: ChatRequest): Sending {
  const last = messages.at(-1)
  if (last?.role !== 'user') {
    throw new AgentError('run_unknown', `The chat "${chatId}" has no run to continue. Send a message first.`)
  }
  const history = fromUIMessages(messages.slice(0, -1))
  const run = runs.startRun(chatId, fromUserParts(last), { key: last.id, ...(history.length > 0 && { history }) })
  return { run, showing: answerTo(last.id) }
}

/** Answers a user message again. A failed or stopped run continues; otherwise a new run starts. */
async function answerAgain(runs: ChatRuns, run: Run, request: ChatRequest): Promise<Sending> {
  const { item, isLatest } = answered(run, request)
  const { signal } = run.state
  const canResume = signal?.type === 'failed' || signal?.type === 'stopped'
  if (isLatest && canResume) {
    await resumeRun(run)
    // The stream shows durable events only, so a failed write must reject here.
    await durable(run)
  }
  if (isLatest && (canResume || !signal)) return { run, showing: answerTo(item.id) }
  const forked = await runs.forkRun(request.chatId, run, { at: item.seq })
  const again = usersIn(shownChat(forked)).find(({ seq }) => seq === item.seq)
  return { run: forked, showing: answerTo(again?.id ?? item.id) }
}

/** Returns the message to answer again: the named one, that of the named answer, or the last. */
function answered(
  run: Run,
  { messageId, messages }: ChatRequest,
): { readonly item: UserItem; readonly isLatest: boolean } {
  const chat = shownChat(run)
  const users = usersIn(chat)
  const answer = chat.items.filter(isAnswer).find(({ id }) => id === messageId)
  // A fork keeps the ids of the user's messages, not those of answers. The chat removes the messages that follow.
  const asked = [messageId, messages.at(-1)?.id]
  const item = answer
    ? users.find(({ seq }) => seq === answer.said)
    : asked.flatMap((each) => users.find(({ id }) => id === each) ?? [])[0]
  if (!item)
    throw new AgentError('options_invalid', DEV && `The chat has no message "${messageId}" that can be answered again.`)
  return { item, isLatest: item === users.at(-1) }
}

/** Resumes a run. Resolves once it has resumed, which takes a moment if it is remote. */
function resumeRun(run: Run): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = run.subscribe((event) => {
      if (!isKept(event)) return
      unsubscribe()
      resolve()
    })
    run.resume()
    if (!run.state.signal) {
      unsubscribe()
      resolve()
    }
  })
}

/** A request of a chat, as the AI SDK sends it. */
interface ChatRequest {
  readonly trigger: 'submit-message' | 'regenerate-message'
  readonly chatId: string
  readonly messageId: string | undefined
  readonly messages: readonly UIMessage[]
  readonly body?: object | undefined
}

/** A continuing run, and the part of it to stream. */
interface Sending {
  readonly run: Run
  readonly showing: Showing
  /** The number of steps that the chat has already. */
  readonly known?: number
  /** True if the request had no result, and the chat must not repeat it by itself. */
  readonly isIdle?: boolean
}

type Reply = RepliesBody['replies'][number]

interface ToolPart {
  readonly toolCallId: string
  readonly state: string
  readonly output?: unknown
  readonly preliminary?: boolean
  readonly approval?: { readonly id: string; readonly approved?: boolean; readonly reason?: string }
}

/** Returns the chat's replies to open questions: approvals, outputs of client-side tools, and `replyTo` replies. */
function repliesIn({ messages, body }: ChatRequest, chat: Chat): readonly Reply[] {
  const parts = messages.flatMap((message) => message.parts.flatMap(toolPart))
  const own = chat.state.asks.flatMap((ask) => {
    const value = valueIn(parts, ask, chat)
    return value === undefined ? [] : [{ ask: ask.id, value }]
  })
  const { replies = [] } = (body ?? {}) as Partial<RepliesBody>
  assertOption(
    Array.isArray(replies) && replies.every((reply) => typeof reply?.ask === 'string'),
    DEV && 'The `replies` of a request must come from replyTo(ask, value).',
  )
  return [...own, ...replies.filter(({ ask }) => !isAnswered(chat, ask))]
}

const toolPart = (part: object): ToolPart[] => ('toolCallId' in part ? [part as ToolPart] : [])

function valueIn(parts: readonly ToolPart[], ask: Ask, chat: Chat): unknown {
  if (ask.kind === 'approval') {
    const { approved, reason } =
      parts.find(({ state, approval }) => state === 'approval-responded' && approval?.id === ask.id)?.approval ?? {}
    if (approved === undefined) return undefined
    return approved ? { approved } : { approved, ...(reason !== undefined && { reason }) }
  }
  // The one question of a tool without `execute`. replyTo answers all other questions of tools.
  if (ask.kind !== 'form' || keyOf(ask.id) !== `${ask.call}/ask/0`) return undefined
  const id = blocksIn(chat).find((block): block is ToolBlock => block.type === 'tool' && block.key === ask.call)?.id
  const part = parts.find(({ toolCallId }) => toolCallId === id)
  if (part?.state === 'output-error')
    throw new AgentError(
      'reply_invalid',
      `The tool of the call "${id}" must have an output, since an agent waits for it.`,
    )
  return part?.state === 'output-available' && !part.preliminary ? part.output : undefined
}

/** Returns true if the question was answered, for example by an earlier request that is sent again. */
const isAnswered = (chat: Chat, id: string): boolean =>
  !chat.state.asks.some((ask) => ask.id === id) &&
  blocksIn(chat).some(
    (block) =>
      (block.type === 'data' && block.id === id && block.name !== 'answer' && block.data.state === 'answered') ||
      (block.type === 'tool' && block.approval?.ask.id === id && block.approval.reply !== undefined),
  )

const blocksIn = ({ items }: Chat): readonly Block[] =>
  items.filter(isAnswer).flatMap(({ steps }) => steps.flat().flatMap(({ blocks }) => blocks))
