import { messageFor, outcomeOfCall, outsideModel } from '@interleave/connect/internal'
import { type Agent, type Json, type Run, type Step, type ToolSet, agent as toAgent } from '@interleave/core'
import {
  type AnyTool,
  assertOption,
  checkArgument,
  checkOptions,
  compileSchema,
  DEV,
  isAgent,
  messageOf,
} from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { type ModelContext, modelContext, offered } from './modelContext.ts'

export interface ExposeToolsOptions {
  /** Unregisters the tools when it aborts. Running calls continue. */
  signal?: AbortSignal
  /** Persists the runs of the calls. */
  journal?: Journal
  /** Called with the run of each call, so that the page can show its questions, as with `useRun`. */
  onRun?: (run: Run) => void
  /** The agent of the runs in logs and lists; `outside` by default. */
  name?: string
  /** The step of the runs, such as `reasonAct({ between: [guardCalls(check)] })`. */
  backend?: Step
  /** Other origins that may see the tools, if they embed the page. */
  exposedTo?: readonly string[]
}

/**
 * Offers tools, or those of an agent, to the browser's agent by WebMCP. Each call from outside is a run that makes this
 * one call, so approvals, questions, claims and the log apply. Returns the agent of these runs, which resumes them
 * after a reload. If the browser has no WebMCP, nothing is offered. A `readOnly` tool gets `readOnlyHint`, and one with
 * `approve: approval()` gets `consequentialHint`.
 *
 * @example
 * await exposeTools({ book }, { signal: page.signal, journal, onRun: setRun })
 */
export async function exposeTools(
  from: ToolSet | Agent<never>,
  options: ExposeToolsOptions = {},
): Promise<Agent<string>> {
  checkOptions('exposeTools()', options, ['signal', 'journal', 'onRun', 'name', 'backend', 'exposedTo'])
  checkArgument(from, 'tools of exposeTools()', 'an object')
  const tools = toolsOf(from)
  const { name = 'outside', backend, signal, exposedTo } = options
  const outside = toAgent({ name, model: outsideModel, tools, ...(backend && { backend }) })
  const context = modelContext()
  if (!context || signal?.aborted) return outside
  const failure = new AbortController()
  const ending = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal
  const caller = new OutsideCalls(outside, options)
  try {
    for (const [each, given] of Object.entries(tools))
      await register(context, { name: each, given: given as AnyTool, caller, signal: ending, exposedTo })
  } catch (error) {
    failure.abort(error)
    // The tools were taken back meanwhile, as by an effect that is cleaned up.
    if (signal?.aborted) return outside
    throw error
  }
  return outside
}

/** Returns the tools of an agent that can be called one by one. Those that end a run cannot. */
function toolsOf(from: ToolSet | Agent<never>): ToolSet {
  const all = Object.entries(isAgent(from) ? from.tools : from)
  for (const [name, each] of all) checkArgument(each, `tool "${name}" of exposeTools()`, 'an object')
  const tools = all.filter(([, each]) => !(each as { terminal?: boolean }).terminal)
  for (const [name, each] of tools)
    assertOption(
      !('bundled' in each || 'resumes' in each) && (each as AnyTool).type !== 'provider',
      DEV && `exposeTools() cannot offer "${name}": it works only in a conversation. Offer its tools instead.`,
    )
  return Object.fromEntries(tools)
}

interface Registering {
  readonly name: string
  readonly given: AnyTool
  readonly caller: OutsideCalls
  readonly signal: AbortSignal
  readonly exposedTo: readonly string[] | undefined
}

async function register(context: ModelContext, registering: Registering): Promise<void> {
  const { name, given, caller, signal, exposedTo } = registering
  const schema = compileSchema(given.inputSchema, `The tool "${name}"`)
  const { $schema: _, ...inputSchema } = { $schema: undefined, ...(await schema.json) }
  const { description, effect, approve } = given
  signal.throwIfAborted()
  await context.registerTool(
    {
      name,
      description: typeof description === 'string' && description ? description : name,
      inputSchema,
      annotations: {
        ...(effect === 'readOnly' && { readOnlyHint: true }),
        ...(approve !== undefined && typeof approve !== 'function' && { consequentialHint: true }),
      },
      execute: (input, client) => caller.call(name, input, client?.signal),
    },
    { signal, ...(exposedTo && { exposedTo }) },
  )
  signal.throwIfAborted()
  offered.add(name)
  signal.addEventListener('abort', () => offered.delete(name), { once: true })
}

/** The maximum number of concurrent calls from outside. */
const mostCalls = 16
/** The maximum characters of an input. */
const longest = 1_000_000

class OutsideCalls {
  readonly #agent: Agent<string>
  readonly #options: ExposeToolsOptions
  #running = 0

  constructor(agent: Agent<string>, options: ExposeToolsOptions) {
    this.#agent = agent
    this.#options = options
  }

  /** Returns the result, or the problem as `{ error }`: the browser drops the message of an error that is thrown. */
  async call(name: string, input: unknown, signal: AbortSignal | undefined): Promise<Json> {
    if (this.#running >= mostCalls) return { error: `${mostCalls} calls are running. Call ${name} again later.` }
    this.#running++
    try {
      return await this.#run(name, input, signal)
    } catch (error) {
      return { error: messageOf(error) }
    } finally {
      this.#running--
    }
  }

  async #run(name: string, input: unknown, signal: AbortSignal | undefined): Promise<Json> {
    const { journal, onRun } = this.#options
    // The browser does not validate the input. The run does, like a model's own.
    const message = messageFor(name, input ?? {})
    if (message.length > longest) return { error: `The input of ${name} has more than ${longest} characters.` }
    signal?.throwIfAborted()
    const run = this.#agent.start(message, journal ? { journal } : {})
    const pending = outcomeOfCall(run, signal)
    onRun?.(run)
    const outcome = await pending
    return 'error' in outcome ? { error: outcome.error.message } : outcome.output
  }
}
