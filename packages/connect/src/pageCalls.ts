import { AgentError, type Host } from '@interleave/core'
import { checkArgument, fromFailure, strictJson, toFailure, unlessLeaving } from '@interleave/core/internal'
import type { Answer, PageCall } from './messages.ts'
import type { ModelCall } from './modelCalls.ts'
import type { ToolCall } from './toolCalls.ts'

/** The second argument of a function in a page. */
export interface PageContext {
  /**
   * Aborts when the run is stopped, the call exceeds its time limit, the worker ends, or a server was unreachable
   * for 15 seconds.
   */
  readonly abortSignal: AbortSignal
  readonly toolCallId: string
  readonly runId: string
  /** The same for every attempt of this call, and for no other call of any run. */
  readonly idempotencyKey: string
}

/** The function of a page tool. Its result is sent back as plain JSON; the model gets the message of an error. */
export type PageFunction = (input: never, context: PageContext) => unknown

/** A call that this page is executing. */
export interface RunningCall {
  readonly signal: AbortSignal
  readonly sendAnswer: (answer: Answer) => void
  /** Called when the reader has room for more parts of a stream. */
  onRoom(parts: number): void
}

export interface PageCallsOptions {
  readonly host: Pick<Host, 'timer' | 'now' | 'onUnload'>
  readonly tools: Readonly<Record<string, PageFunction>>
  readonly sendAnswer: (answer: Answer) => void
  /** Takes a tool call before it runs. Returns false if its host may have given it up, so that another page runs it. */
  readonly take: (call: string) => boolean | Promise<boolean>
  /** Executes model calls, in a page that has models. */
  readonly runModel?: (call: ModelCall, running: RunningCall) => Promise<void>
}

/** Executes the calls of the runs' host in this page. */
export class PageCalls {
  readonly #options: PageCallsOptions
  readonly #running = new Map<string, RunningCall & { readonly controller: AbortController }>()

  constructor(options: PageCallsOptions) {
    this.#options = options
  }

  receiveCall(message: PageCall): void {
    const running = this.#running.get(message.call)
    if (message.type === 'more') running?.onRoom(message.parts)
    else if (message.type === 'abort') running?.controller.abort(fromFailure(message.error))
    // A transport may deliver a message twice.
    else if (!running) void this.#execute(message)
  }

  /** Aborts all calls, because the host has ended. */
  abortCalls(reason: unknown): void {
    for (const { controller } of this.#running.values()) controller.abort(reason)
  }

  async #execute(message: ToolCall | ModelCall): Promise<void> {
    const { call } = message
    const { host, tools, sendAnswer, take, runModel } = this.#options
    const controller = new AbortController()
    const running = { controller, signal: controller.signal, sendAnswer, onRoom() {} }
    this.#running.set(call, running)
    try {
      if (message.type === 'model') await runModel?.(message, running)
      else if ((await take(call)) && !controller.signal.aborted) {
        const output = await unlessLeaving(host, async () => runTool(message, tools, controller.signal))
        sendAnswer({ type: 'output', call, value: strictJson(output, `The output of the tool "${message.name}"`) })
      }
    } catch (error) {
      sendAnswer({ type: 'failed', call, error: toFailure(error, 'tool_failed') })
    } finally {
      this.#running.delete(call)
    }
  }
}

function runTool(call: ToolCall, tools: PageCallsOptions['tools'], abortSignal: AbortSignal): unknown {
  const { name, input, toolCallId, runId, idempotencyKey } = call
  const run = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (!run) throw new AgentError('tool_unknown', `This page has no function for the tool "${name}".`)
  return run(input as never, { abortSignal, toolCallId, runId, idempotencyKey })
}

/** Returns the names of the tools or models of a page, without undefined ones. Throws for an invalid one. */
export function ownNames(option: 'tools' | 'models', members: Readonly<Record<string, unknown>>): string[] {
  checkArgument(members, `\`${option}\``, 'an object')
  return Object.keys(members).filter((name) => {
    if (members[name] === undefined) return false
    checkArgument(
      members[name],
      `\`${name}\` of \`${option}\``,
      option === 'tools' ? 'a function' : 'an object with doStream()',
    )
    return true
  })
}
