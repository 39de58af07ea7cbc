import {
  chat,
  chatParamsFromRequest,
  memoryStream,
  resumeServerSentEventsResponse,
  toServerSentEventsResponse,
} from '@tanstack/ai'
import { BaseTextAdapter } from '@tanstack/ai/adapters'
import { call } from '../../crash/programs/call.ts'
import { payTool } from './tanstackTool.ts'

/** The route of a chat, as the guide to resumable streams has it: a page that comes back joins an answer under way. */
export function tanstackRoute(world: string): (request: Request) => Promise<Response> {
  const model = new WorldModel(world)
  return async (request) => {
    const adapter = memoryStream(request)
    if (request.method === 'GET') return resumeServerSentEventsResponse({ adapter })
    const { messages, threadId, runId, parentRunId, resume } = await chatParamsFromRequest(request)
    const ids = { threadId, runId, ...(parentRunId && { parentRunId }), ...(resume && { resume }) }
    const stream = chat({ adapter: model, messages: messages as never, tools: [payTool], ...ids })
    return toServerSentEventsResponse(stream, { durability: { adapter } })
  }
}

/** Asks the world for its turns. */
class WorldModel extends BaseTextAdapter<'world', object, readonly ['text'], object> {
  readonly name = 'world'
  readonly #world: string
  constructor(world: string) {
    super({}, 'world')
    this.#world = world
  }

  structuredOutput(): never {
    throw new Error('Only streams are used.')
  }

  async *chatStream({ messages, runId = 'run', threadId = 'thread' }: StreamOptions): AsyncGenerator<object> {
    const results = messages.filter(({ role }) => role === 'tool').length
    const turn = await call<Turn>({ world: this.#world, run: threadId }, '/model', { results })
    const common = { model: 'world', timestamp: Date.now() }
    yield { type: 'RUN_STARTED', runId, threadId, ...common }
    if (turn.text === undefined) yield* calling(turn, common)
    else yield* saying(turn.text, common)
    const finishReason = turn.text === undefined ? 'tool_calls' : 'stop'
    yield { type: 'RUN_FINISHED', runId, threadId, finishReason, usage, ...common }
  }
}

function* calling(input: Turn, common: object): Generator<object> {
  const toolCallId = crypto.randomUUID()
  const names = { toolCallId, toolCallName: 'pay', toolName: 'pay' }
  yield { type: 'TOOL_CALL_START', ...names, index: 0, ...common }
  yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(input), ...common }
  yield { type: 'TOOL_CALL_END', ...names, input, ...common }
}

function* saying(delta: string, common: object): Generator<object> {
  const messageId = crypto.randomUUID()
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...common }
  yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta, ...common }
  yield { type: 'TEXT_MESSAGE_END', messageId, ...common }
}

interface Turn {
  readonly amount?: number
  readonly text?: string
}

interface StreamOptions {
  readonly messages: readonly { readonly role: string }[]
  readonly runId?: string
  readonly threadId?: string
}
const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 }
