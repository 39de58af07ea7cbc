import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider'
import { checkArgument, checkOptions, DEV } from '#checks'
import { type Failure, messageOf, toFailure } from './error.ts'
import type { Delta, LiveEvent } from './event.ts'
import { cached, type Json } from './json.ts'
import { assertOption } from './options.ts'
import type { TurnPlan } from './plan.ts'
import { accept, type CompiledSchema, compileSchema, type Schema } from './schema.ts'
import type { RunState } from './state.ts'
import type { TypedQuestion } from './typedQuestion.ts'

/**
 * The rule for a call that may already have run, for example after a crash: `readOnly` and `idempotent` run again (with the
 * same idempotency key), `atMostOnce` asks a user first. The default is `atMostOnce`.
 */
type Repetition = 'readOnly' | 'idempotent' | 'atMostOnce'
const repetitions: readonly Repetition[] = ['readOnly', 'idempotent', 'atMostOnce']

/** The second argument of a tool's function. The first four members are the AI SDK's. */
export interface ToolContext<Context = unknown> {
  /** The provider's id of the call. Providers repeat ids: use `idempotencyKey` to distinguish calls. */
  readonly toolCallId: string
  /** Aborts when the run is stopped or the call's time is up. The call is over then, whether the tool listens or not. */
  readonly abortSignal: AbortSignal
  /** The messages before the turn that made this call, without the instructions. */
  readonly messages: LanguageModelV4Message[]
  /** The `context` of the run, as the tool's `contextSchema` parses it. It is in no log. */
  readonly context: Context
  /** The name that the model calls the tool by. */
  readonly toolName: string
  /** The run that makes the call. */
  readonly runId: string
  /** The same for every attempt of this call, and for no other call of any run. */
  readonly idempotencyKey: string
  /**
   * Asks a user and waits. After a reload, or if the host has freed the run meanwhile, the question is still open: then
   * the function runs again from the top, and questions already answered return immediately. Put what must not happen
   * twice before an `ask` into `once`.
   */
  ask<T>(question: TypedQuestion<T>): Promise<T>
  /**
   * Runs `fn` once per call of this tool and key; after a reload it returns the stored result. It is for effects. A
   * question needs none, since `ask` stores its reply; if the page closes during a question inside of `fn`, a user is
   * asked whether `fn` ran.
   */
  once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T>
}

/** The context of the run and the call that a policy is about. */
export interface About<Context> {
  /** The `context` of the run, as the tool's `contextSchema` parses it. */
  readonly context: Context
  readonly toolCallId: string
}

/** The input to run a call with. */
export interface Approved {
  readonly input: unknown
  /** The input as JSON, as the user saw it. Absent without a question. */
  readonly seen?: Json
  /** The input as JSON, if the user changed it. */
  readonly edited?: Json
  /** Returns false if the permission was removed since, before the call began. */
  readonly isStill?: () => boolean
  /** The prompt of that input, if it is another one. */
  readonly prompt?: string
}

/** A question before a call, with the code that asks it. `approval()` makes it, and journals have one. */
export interface Approval {
  /** The question, if it has words of its own. */
  readonly prompt?: string
  /** Asks a user. A refusal throws, and the model reads it. It receives the call: see `Proposal`. */
  approve(proposal: object): Promise<Approved>
  /** Asks about a call that the provider runs. Its result arrives in a later turn. */
  approveForProvider(proposal: object): Promise<Outcome>
  readonly interruptions: Interruptions
}

/** The question of a policy; false if no user is asked. */
export type Decision = false | Approval

/** The policy of a tool: a question before each call, or a function that returns it, or false if no user is asked. */
type Approve<Input, Context = unknown> =
  | Approval
  | ((input: Input, state: RunState, about: About<Context>) => Decision | PromiseLike<Decision>)

/** The code for calls that may already have run. It comes with a journal, and with tools that start runs. */
export interface Interruptions {
  /**
   * Asks a user about a call that may already have run. Returns undefined if it may run again, else its outcome. It
   * receives the call: see `Interrupted`.
   */
  ask(interrupted: object): Promise<Outcome | undefined>
  /** Awaits the claim of a call: see `Claiming`. */
  claimed(claiming: object): Promise<void>
}

/** The function of a tool whose work the app does. */
export interface Elsewhere<Output> {
  (input: unknown, context: ToolContext<never>): Promise<Output>
  /** Tells it from a function that does work here. It has no time limit. */
  readonly isElsewhere: true
}

/** Returns true for the function of a tool whose work the app does. */
export const isElsewhere = (execute: unknown): boolean =>
  typeof execute === 'function' && 'isElsewhere' in execute && execute.isElsewhere === true

/** `Given` is the type of the input as the model writes it, before the schema converts it. */
export interface ToolOptions<Input, Output, Given = unknown, Context = unknown> {
  /** Describes to the model when to use the tool. */
  description?: string
  inputSchema: Schema<Input, Given>
  /** The schema of the run's `context`, as far as the tool needs it. A call whose context does not fit fails. */
  contextSchema?: Schema<Context>
  /**
   * The work. An async generator streams preliminary output; the last value it yields is the result. `elsewhere()` if the
   * app does the work, and gives the result.
   */
  execute: (input: Input, context: ToolContext<Context>) => AsyncIterable<Output> | PromiseLike<Output> | Output
  /**
   * The rule for a call that may already have run, as after a crash or when its time is up: `readOnly` and `idempotent` run
   * again, `atMostOnce`, the default, asks a user.
   */
  effect?: Repetition
  /**
   * Asks a user before each call: `approval()`, or a function of the input and the state that returns `approval()` or
   * false. No user is asked without it. `timeoutMs` does not bound that function, nor a schema that is async.
   */
  approve?: Approve<Input, Context> | undefined
  /** Milliseconds after which the call is abandoned, without the time spent waiting for a user; by default that of `act`, 60,000. */
  timeoutMs?: number
  /** Computes the model's result from the output. */
  toModelOutput?: (result: {
    toolCallId: string
    input: Input
    output: Output
  }) => LanguageModelV4ToolResultOutput | PromiseLike<LanguageModelV4ToolResultOutput>
}

/** Any tool that an agent accepts: one of `tool()`, or any tool of the AI SDK, unchanged. */
export interface AnyTool {
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly outputSchema?: unknown
  readonly execute?: unknown
  readonly [key: string]: unknown
}
/** Tools by the names that the model calls them by. */
export type ToolSet = Readonly<Record<string, AnyTool | object>>

/**
 * Defines a tool: the AI SDK's own shape, with `effect`, `approve`, `timeoutMs`, and `ask` and `once` for its function.
 */
export function tool<Input, Output, Given = unknown, Context = unknown>(
  options: ToolOptions<Input, Output, Given, Context>,
): ToolOptions<Input, Output, Given, Context> {
  checkToolOptions('tool()', options)
  return options
}

/** Throws for an unknown option of a tool. Includes those that only tools of the AI SDK have. */
export function checkToolOptions(owner: string, options: object): void {
  checkOptions(owner, options as ToolOptions<unknown, unknown>, [
    'description',
    'inputSchema',
    'outputSchema',
    'execute',
    'effect',
    'approve',
    'timeoutMs',
    'toModelOutput',
    'needsApproval',
    'providerOptions',
    'strict',
    'inputExamples',
    'type',
    'title',
    'metadata',
    'contextSchema',
    'deferLoading',
    'id',
    'args',
    'isProviderExecuted',
    'supportsDeferredResults',
  ])
}

/** The run as the code of its tools sees it. */
export interface ToolRun {
  readonly agent: { readonly tools: Readonly<Record<string, ToolSpec>> }
  readonly state: RunState
  readonly abortSignal: AbortSignal
  readonly context: unknown
  live(event: LiveEvent): void
}

/** Code that tools bring for the turns of their agent, for all of its tools at once. */
export interface TurnCode {
  /** Returns the plan that the tools of the latest turn set for the next one. */
  readonly plan?: (tools: Readonly<Record<string, ToolSpec>>, state: RunState) => TurnPlan | undefined
  /** Returns the names of the tools that the model sees now, in order. */
  readonly offer?: (names: readonly string[], run: Pick<ToolRun, 'agent' | 'state'>) => readonly string[]
  /** Creates the receiver of a turn's deltas. */
  readonly receiver?: (run: ToolRun) => (delta: Delta) => void
}

const turnCodes = new WeakMap<object, TurnCode>()

/** Returns the code that tools bring for turns. */
export const turnCode = (tools: Readonly<Record<string, ToolSpec>>): TurnCode =>
  cached(turnCodes, tools, () => Object.assign({}, ...Object.values(tools).map(({ turns }) => turns)))

/** A tool as the engine uses it, whichever library defined it. */
export interface ToolSpec {
  readonly name: string
  readonly description?: string
  readonly schema: CompiledSchema
  /** Runs it. Tools of a provider and of stop rules have none. */
  readonly execute?: (input: unknown, context: ToolContext) => unknown
  /** The type of the answer, for a tool of a stop rule. */
  readonly output?: CompiledSchema
  /** Checks the context of the run for the tool's function. */
  readonly context?: CompiledSchema
  readonly effect: Repetition
  readonly approve?: Approval | ((input: unknown, state: RunState, about: About<unknown>) => unknown) | undefined
  /** Decides about its interrupted calls in a run without a journal. Without it they end the run. */
  readonly interruptions?: Interruptions
  readonly timeoutMs?: number
  readonly toModelOutput?: (result: { toolCallId: string; input: unknown; output: unknown }) => unknown
  /** The code that it brings for turns. */
  readonly turns?: TurnCode
  /** Called with the complete, validated input of a call before it is approved. */
  readonly onInput?: (run: ToolRun, toolCallId: string, input: unknown) => void
  /** A tool that the provider defines, such as its web search. */
  readonly provider?: { readonly id: `${string}.${string}`; readonly args: Record<string, unknown> }
  readonly providerOptions?: SharedV4ProviderOptions
  readonly strict?: boolean
  readonly inputExamples?: NonNullable<LanguageModelV4FunctionTool['inputExamples']>
  /** Resolves once the tool can run; undefined if it can now. The call starts then. It receives the call: see `Readying`. */
  readonly ready?: (readying: object) => PromiseLike<void> | undefined
  /**
   * Set if it resumes after a stop or a crash, and manages its own time. Its function receives the run: see `Inside`.
   */
  readonly resumes?: true
  /**
   * True if it belongs to a stop rule, which reads its calls: `act` ignores it.
   */
  readonly terminal?: boolean
  /** The bundle that contains it. The model sees the tool once the bundle is open. */
  readonly bundle?: Bundled
}

export interface Bundled {
  /** Throws unless the model can call the tool `name` in this turn. */
  check(state: RunState, name: string): void
}

/** Reads a tool definition of any library. Throws for an invalid one. */
export function toToolSpec(name: string, description: unknown): ToolSpec {
  const owner = `tool "${name}"`
  checkToolName(`The ${owner}`, name)
  assertOption(
    description && typeof description === 'object',
    DEV && `The ${owner} is not a tool. Make one with tool({ … }).`,
  )
  const given = description as AnyTool
  const { effect = 'atMostOnce', approve, needsApproval = false } = given
  const { description: words = '', type, execute, timeoutMs } = given
  checkArgument(words, `\`description\` of the ${owner}`, 'a string or a function')
  checkBrought(owner, given)
  assertOption(
    repetitions.includes(effect as Repetition),
    DEV && `The \`effect\` of the ${owner} must be "readOnly" or "idempotent" or "atMostOnce".`,
  )
  assertOption(
    timeoutMs === undefined || Number(timeoutMs) > 0,
    DEV && `The \`timeoutMs\` of the ${owner} must be a number above 0.`,
  )
  const schemas = { schema: schemaOf(owner, given), context: contextOf(owner, given) }
  // In production too: without them a call would have no result, or run unasked.
  assertOption(
    type === 'provider' || typeof execute === 'function',
    DEV && `The \`execute\` of the ${owner} must be a function, or elsewhere() if the app does the work.`,
  )
  assertOption(
    approve === undefined || typeof approve === 'function' || isApproval(approve),
    DEV &&
      `The \`approve\` of the ${owner} must be approval(), or a function (input, state) => false or approval(). Without it no user is asked.`,
  )
  assertOption(
    needsApproval === false,
    DEV &&
      `The ${owner} has \`needsApproval\`. Give it to aiTool() of @interleave/ai-sdk, or write approve: approval().`,
  )
  return Object.freeze({
    ...given,
    ...schemas,
    name,
    effect,
    provider: providerOf(given),
  }) as ToolSpec
}

/** Throws for members whose code comes with a function, since nothing would read them. */
function checkBrought(owner: string, { next, turns, onInput, ...others }: AnyTool): void {
  const { plan, receiver }: TurnCode = Object(turns)
  assertOption(next === undefined || plan, DEV && `The ${owner} has a \`next\`. Instead, use planNext(tool, plan).`)
  const hook = receiver && onInput ? undefined : Object.keys(others).find((name) => name.startsWith('onInput'))
  assertOption(!hook, DEV && `The ${owner} has the hook \`${hook}\`. Wrap it with aiTool() of @interleave/ai-sdk.`)
}

export const isApproval = (value: unknown): value is Approval => typeof Object(value).approve === 'function'

/** Throws if providers reject this as the name of a tool. */
export function checkToolName(owner: string, name: string): void {
  const fits = /^[a-zA-Z0-9_-]{1,64}$/.test(name)
  assertOption(fits, DEV && `${owner} has a name that providers refuse. Use 1 to 64 letters, digits, "_" and "-".`)
}

function schemaOf(owner: string, { inputSchema, type }: AnyTool): CompiledSchema {
  if (inputSchema === undefined && type === 'provider') return { json: { type: 'object' }, check: accept }
  assertOption(
    inputSchema !== undefined,
    DEV && `The ${owner} needs an inputSchema. For a tool without arguments use z.object({}).`,
  )
  return compileSchema(inputSchema, `The ${owner}`)
}

const contextOf = (owner: string, { contextSchema }: AnyTool): CompiledSchema | undefined =>
  contextSchema === undefined ? undefined : compileSchema(contextSchema, `The context of the ${owner}`)

const providerOf = ({ type, id, args = {} }: AnyTool): object | undefined =>
  type === 'provider' ? { id, args } : undefined

/** The result of a call, for the model and for the app. */
export interface Outcome {
  readonly result: LanguageModelV4ToolResultOutput
  readonly output?: Json
  readonly error?: Failure
}

/** Converts a failure to an outcome, as the model reads it. */
export function failedOutcome(error: unknown): Outcome {
  const failure = toFailure(error, 'tool_failed')
  const { code, message } = failure
  if (code !== 'tool_refused') return { result: { type: 'error-text', value: messageOf(error) }, error: failure }
  if (message) return { result: { type: 'execution-denied', reason: message }, error: failure }
  return { result: { type: 'execution-denied' }, error: { ...failure, message: 'Refused.' } }
}
