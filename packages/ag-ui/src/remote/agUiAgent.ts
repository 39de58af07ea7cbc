import { newRunId } from '@interleave/connect/internal'
import { AgentError, choice } from '@interleave/core'
import type { ExternalAgent, ExternalEvent, ExternalTurn } from '@interleave/core/agents'
import { assertOption, checkOptions, DEV, isObject, jsonIn } from '@interleave/core/internal'
import { count, data, listOf, maybe, shapeOf, text } from '@interleave/core/shapes'
import { toContent } from '../events/messages.ts'
import type { ResumeEntry } from '../handler/runInput.ts'
import type { AgUiMessage } from '../protocol.ts'
import { type Fetch, type Remote, remoteEvents } from './remoteEvents.ts'
import { type RemoteInterrupt, toAsking } from './toAsking.ts'
import { TurnEvents } from './turnEvents.ts'

export interface AgUiAgentOptions {
  /** The whole address of the agent. */
  url: string | URL
  /** Names the agent in the log; the last part of the address by default. */
  name?: string
  /** Sent with each request. A function is called for each. */
  headers?: Readonly<Record<string, string>> | (() => HeadersGiven | PromiseLike<HeadersGiven>)
  /**
   * True if the agent ignores a message that it has received before, like `agUiHandler()`. After a crash in the middle
   * of a turn the message is then sent again; otherwise the user is asked.
   */
  idempotent?: boolean
  fetch?: Fetch
}
type HeadersGiven = Readonly<Record<string, string>>

/**
 * Connects to an agent behind an AG-UI endpoint, for `delegate()`. Its text, reasoning and tool calls stream as those
 * of the run, and its interrupts become questions, which are in the log and survive a reload. As a tool of another
 * agent: `agentTool(agent({ name, backend: delegate(…) }), { description })`.
 *
 * @example
 * agent({ name: 'planner', backend: delegate(agUiAgent({ url: 'https://example.com/agents/planner' })) })
 */
export function agUiAgent(options: AgUiAgentOptions): ExternalAgent {
  checkOptions('agUiAgent()', options, ['url', 'name', 'headers', 'idempotent', 'fetch'])
  const { url: given, headers = {}, idempotent = false } = options
  assertOption(URL.canParse(given), DEV && `\`url\` of agUiAgent() is "${given}". Give the whole address of the agent.`)
  const url = new URL(given)
  const name = options.name ?? (url.pathname.split('/').findLast((part) => part !== '') || url.hostname)
  const remote: Remote = {
    ...{ name, url },
    fetch: options.fetch ?? ((to, init) => fetch(to, init)),
    headers: async () => (typeof headers === 'function' ? headers() : headers),
  }
  return { name, run: (turn) => runTurn(remote, turn, idempotent) }
}

/** The part of a turn that is in the log, so that the turn continues after a reload. */
interface Session {
  readonly threadId: string
  /** The number of the turn, which is part of its message ids. */
  readonly turn: number
  /** The number of times that this turn was begun. */
  readonly attempt: number
  /** The questions that the agent waits for. */
  readonly interrupts?: readonly RemoteInterrupt[]
}

const interrupt = shapeOf({ id: text, reason: text, message: text, schema: maybe(data) })
const session = shapeOf({ threadId: text, turn: count, attempt: count, interrupts: maybe(listOf(interrupt)) })
const isSession = (value: unknown): value is Session => session(value) === undefined

const foreignSession = ({ name }: Remote): AgentError =>
  new AgentError('log_invalid', `The log has a session of another agent as that of "${name}". Rename one of them.`)

const mostRounds = 64

async function* runTurn(remote: Remote, turn: ExternalTurn, idempotent: boolean): AsyncGenerator<ExternalEvent, void> {
  let session = nextSession(remote, turn)
  if (turn.resumed && !session.interrupts && !idempotent && !(await mayRepeat(remote, turn, session))) {
    yield { type: 'error', message: 'The user decided not to ask the agent again. It may have done its work.' }
    return
  }
  yield { type: 'session', id: JSON.stringify(session) }
  const messages = messagesFor(turn, session)
  for (let round = 0; round < mostRounds; round++) {
    const resume = session.interrupts && (await answersTo(session.interrupts, remote, turn))
    const { threadId } = session
    const input = { threadId, runId: newRunId(), protocolVersion: '1.0', messages, tools: [], context: [], state: {} }
    const events = new TurnEvents(remote.name)
    const stream = remoteEvents(remote, { ...input, forwardedProps: {}, ...(resume && { resume }) }, turn.abortSignal)
    for await (const event of stream) {
      yield* events.read(event)
      if (events.end) break
    }
    const { end } = events
    if (end?.type === 'interrupts') {
      session = { ...session, interrupts: end.interrupts }
      yield { type: 'session', id: JSON.stringify(session) }
      continue
    }
    if (end?.type === 'done') yield { type: 'done', ...(end.result !== undefined && { output: end.result }) }
    else yield { type: 'error', message: end?.message ?? 'The stream ended before the run of the agent did.' }
    return
  }
  throw new AgentError('too_many', `The AG-UI agent "${remote.name}" asks without end.`)
}

/** Returns the session of a turn: that of the interrupted one, or the next in the same thread. */
function nextSession(remote: Remote, { sessionId, resumed }: ExternalTurn): Session {
  if (sessionId === undefined) return { threadId: newRunId(), turn: 1, attempt: 1 }
  const before: unknown = jsonIn(sessionId)
  if (!isSession(before)) throw foreignSession(remote)
  if (resumed) return { ...before, attempt: before.attempt + 1 }
  return { threadId: before.threadId, turn: before.turn + 1, attempt: 1 }
}

async function mayRepeat({ name }: Remote, { ask }: ExternalTurn, { turn, attempt }: Session): Promise<boolean> {
  const decision = await ask(
    `again/${turn}/${attempt}`,
    choice({
      prompt: `The agent "${name}" was interrupted, and may already have done a part of its work. What should happen?`,
      options: [
        { value: 'again', label: 'Ask it again' },
        { value: 'stop', label: 'Leave it' },
      ],
    }),
  )
  return decision === 'again'
}

async function answersTo(
  interrupts: readonly RemoteInterrupt[],
  { url }: Remote,
  { ask }: ExternalTurn,
): Promise<ResumeEntry[]> {
  const entries: ResumeEntry[] = []
  for (const interrupt of interrupts) {
    entries.push({ interruptId: interrupt.id, ...(await ask(interrupt.id, toAsking(interrupt, url.host))) })
  }
  return entries
}

type ModelMessage = ExternalTurn['messages'][number]

/**
 * Returns the conversation as AG-UI sends it. New messages have ids of this turn, which stay the same if they are sent
 * again.
 */
function messagesFor({ messages, news, instructions }: ExternalTurn, { threadId, turn }: Session): object[] {
  const before = messages.slice(0, Math.max(0, messages.length - news.length))
  const old = before.flatMap((message, index) => toMessage(message, `${threadId}/old/${index}`))
  const said = news.flatMap((message, index) => toMessage(message, `${threadId}/${turn}/${index}`))
  return [
    ...(instructions ? [{ id: `${threadId}/instructions`, role: 'system', content: instructions }] : []),
    ...old,
    ...said,
  ]
}

function toMessage({ role, content }: ModelMessage, id: string): AgUiMessage[] {
  if (role === 'user') return [{ id, role, content: toContent(content) }]
  if (role !== 'assistant') return []
  const text = content.map((part) => (isObject(part) && part.type === 'text' ? String(part.text) : '')).join('')
  return text === '' ? [] : [{ id, role, content: text }]
}
