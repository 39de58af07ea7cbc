import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'
import type { AnyEvent, Event, EventBody, LiveEvent, Parent } from './event.ts'
import type { Host } from './host.ts'
import type { Durability, Journal, JournalEngine, SavedRun } from './journal.ts'
import type { Json } from './json.ts'
import type { PromptBuilder } from './message.ts'
import type { UserContent } from './part.ts'
import type { TurnPlan } from './plan.ts'
import type { Ask, ReplyTo } from './question.ts'
import type { CompiledSchema } from './schema.ts'
import type { Signal } from './signal.ts'
import type { Changes, RunState } from './state.ts'
import type { ToolSet, ToolSpec } from './tool.ts'
import type { TypedQuestion } from './typedQuestion.ts'
import type { Prices } from './usage.ts'

/**
 * The one interface of all behavior. A step reads the state, does its work if there is any, and returns a signal if
 * the run should pause or finish. Thinking, acting, stopping, limits and whole backends are steps.
 *
 * A step has no time limit, since it may wait for users. Only `stop()` ends one that never settles, so give what it
 * calls a limit: `fetch(url, { signal: AbortSignal.any([run.abortSignal, AbortSignal.timeout(60_000)]) })`.
 */
export interface Step {
  (run: RunContext): Signal | undefined | PromiseLike<Signal | undefined>
  /** Tools that the model needs for this step. */
  readonly tools?: (agent: Pick<Agent, 'output'>) => readonly ToolSpec[]
  /** True if it calls none of the agent's models, so the agent needs none. */
  readonly ownModel?: boolean
  /** True if its turns may call tools that the agent itself does not have. */
  readonly mayCall?: boolean
  /** Instructions for the model about this step, added after the agent's own. */
  readonly instructions?: string
}

/** The system prompt, or a function that computes it for each turn. */
export type Instructions = string | ((state: RunState, about: { readonly context: unknown }) => string)

/** The run as its steps see it. */
export interface RunContext {
  readonly agent: Agent
  /** The agent's name, if a router or a graph handed the run to it. */
  readonly handedTo?: string
  /** The state now. Each event makes a new one: read it again after an `await`. */
  readonly state: RunState
  readonly host: Host
  /** Builds the messages for the model from the state, each entry of the history once. */
  readonly prompt: PromptBuilder
  /** The changes to the next turn. */
  readonly plan: TurnPlan
  /** Changes the plan of the next turn. A later change overrides an earlier one. */
  replan(change: TurnPlan): void
  /** The journal, if there is one. */
  readonly journal: Journal | undefined
  /** The code for runs that outlive their page. The journal or the saved state provides it. */
  readonly engine: JournalEngine | undefined
  /** The `context` of the run's start or resumption; undefined without one. It is in no log and no journal. */
  readonly context: unknown
  /** Aborts when the run is stopped. */
  readonly abortSignal: AbortSignal
  /** Adds an event to the log. */
  emit(event: EventBody): void
  /**
   * Teaches the run the changes of a capability's own events, before the first of them: an event without a change throws
   * `invariant_broken`. Again, or with a journal, which has all changes, it does nothing.
   */
  learn(changes: Changes): void
  /** Notifies current listeners; not persisted. */
  live(event: LiveEvent): void
  /** Resolves when all events are in the journal; undefined if they are. `strict`: also after a power cut. */
  durable(durability?: Durability): PromiseLike<void> | undefined
  /** The number of events that the journal has: an event with a lower `seq` is durable. */
  readonly durableSeq: number
  /** The latest object of each child run, by id, once it is over, unless it has answered. The next one of the same child closes it. */
  readonly children: Map<string, Promise<Run | undefined>>
  /** Returns the agent that a child run is of, such as one whose tools are recorded. */
  readonly childAgent?: <Output>(agent: Agent<Output>, runId: string) => Agent<Output>
  /** True if logs of its child runs may be missing: for a run of a file, or a saved run without a journal. */
  readonly mayLackChildren: boolean
  /** Returns true if this error is a failed write to the log. Errors of tools and of other runs may look the same. */
  isFailure(error: unknown): boolean
  /** Calls `begin` once per key, and its result when the run pauses or finishes. */
  whileActive(key: object, begin: () => () => void): void
  /**
   * Calls back, within the write, when the journal accepts events that it rejected before. Returns a function that ends
   * this.
   */
  onRecovered(callback: () => void): () => void
  /** Asks a user and waits. `key` must be the same when the step runs again after a reload. */
  ask<T>(key: string, question: TypedQuestion<T>): Promise<T>
  /**
   * Runs `fn` once per run and key; later calls return the stored result. It runs again only if the page closes before
   * the result is durable, so an effect that must never happen twice belongs in a tool.
   */
  once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T>
  /**
   * Creates an activity, which may wait for users on its own, such as a tool call or a branch of `parallel()`. The run
   * pauses when all activities wait.
   */
  activity(call?: string): Activity
  /** Returns a view of the same run with some members replaced. Its other properties stay live. */
  with<Members extends object>(members: Members): RunContext & Members
}

/** Questions and `once` of something that may wait on its own. */
export interface Activity {
  ask<T>(key: string, question: TypedQuestion<T>): Promise<T>
  once<T extends Json>(key: string, fn: () => T | PromiseLike<T>): Promise<T>
  /** Throws once it is over: the run was stopped, or the time of its call is up. Its code may do nothing new. */
  checkContinues(): void
  /** True if a `once` function of its call runs now. */
  readonly isDoing: boolean
  /** The error of the journal in place of a reply, which the function of its call has not received. */
  unreceived: unknown
  /** Closes a question that was answered elsewhere; without a reply, one that needs no answer any more. */
  settle(id: string, reply?: Json, prompt?: string): void
  /** Marks the activity as working although its questions are open. The run pauses only when it does not work. */
  setWorking(working: boolean): void
  /** Withdraws the call's approval if its permission was removed since. Called right before the call starts. */
  recheck?(): PromiseLike<void> | undefined
  /** Creates a part of it that may wait on its own. While it has parts, it waits when all of them do. */
  activity(call?: string): Activity
  /** A clock that stops while it waits for a user. */
  clock: Clock | undefined
  end(): void
}

/** A clock that runs only while an activity works, such as a tool's timeout. */
export interface Clock {
  start(): void
  stop(): void
}

/** Tools that may change while an agent works, such as those of a server. `toolSource()` makes one. */
export interface ToolSource {
  /**
   * Returns the tools as they are now. Called before each turn, and after a user was asked about a call. Return the same
   * object for a tool that has not changed, so that its schema is compiled once.
   */
  current(): ToolSet | PromiseLike<ToolSet>
  /** Called when the first run begins to use the tools. Returns a function that is called when no run uses them any more. */
  follow?(): () => void
  /**
   * Milliseconds that the first turn waits for the tools; 30 seconds by default. Give more, or `Infinity`, if a user has to
   * sign in first.
   */
  readonly timeoutMs?: number
  /**
   * Returns the names of what the last `current()` could not read and omitted, such as the hosts of servers. The run's
   * state has them: see `missingTools()`.
   */
  missing?(): readonly string[]
  /** The code for tools that change, which comes with a source. */
  readonly engine: (parts: LiveParts) => LiveTools
}

/** The parts of an agent's tools. */
export interface LiveParts {
  readonly sources: readonly ToolSource[]
  /** The tools that do not change. */
  readonly own: Readonly<Record<string, ToolSpec>>
  /** Adds the tools of the sources to the agent's own. Throws if two have one name. */
  toTools(
    sets: readonly ToolSet[],
    toSpec: (name: string, tool: unknown) => ToolSpec,
  ): Readonly<Record<string, ToolSpec>>
}

/** The tools of an agent, some of which change. */
export interface LiveTools {
  /** The tools that do not change. */
  readonly own: Readonly<Record<string, ToolSpec>>
  /** The tools as of the last read. */
  readonly tools: Readonly<Record<string, ToolSpec>>
  /** Returns the run with the tools for its next pass: they are read before each turn, and the log has their names. */
  enter(run: RunContext): PromiseLike<RunContext>
  /** Reads the tools in the middle of a turn. Returns the run with them if this one has changed or was removed. */
  unlessSame(run: RunContext, spec: ToolSpec, activity: Activity): PromiseLike<RunContext | undefined>
  /** Returns the question for approval. It mentions that the tool has changed since the model's latest turn. */
  promptFor(run: RunContext, spec: ToolSpec, prompt: string): PromiseLike<string>
}

/** A handle that starts and resumes runs: an agent in this process, or one that runs elsewhere. */
export interface AgentHandle<Output = unknown, Tools extends ToolSet = ToolSet> {
  readonly name: string
  /** For inference only; never set. */
  readonly toolTypes?: Tools
  /** Starts a run. Returns immediately; the work continues in the background. */
  start(input: UserContent, options?: HandleOptions): Run<Output, Tools>
  /** Resumes the run of this id. */
  resume(runId: string, options?: Pick<HandleOptions, 'observers'>): Promise<Run<Output, Tools>>
  /** Forks a run for `fork()`, if only its host can do that. */
  fork?(runId: string, point: ForkPoint): Promise<Run<Output, Tools>>
  /** The agent, if it is known here too. A server reads it before it accepts the file of a run. */
  readonly template?: Pick<Agent, 'tools' | 'live' | 'backend'>
}
export type HandleOptions = Pick<StartOptions, 'id' | 'key' | 'history' | 'observers'>

/** The type of an agent's answer, with the stop rule that reads it. `answer()` makes one. */
export interface Answer<T = unknown> extends CompiledSchema {
  /** For inference only; never set. */
  readonly outputType?: T
  readonly stop: Step
  /** The step for a turn that called nothing and is no answer. Any text is one without an `output`. */
  readonly otherwise: Step
}

/** An immutable description. Any number of its runs execute concurrently and share no mutable state. */
export interface Agent<Output = unknown, Tools extends ToolSet = ToolSet> extends AgentHandle<Output, Tools> {
  readonly version: string
  /** The first is used; the others are fallbacks. */
  readonly models: readonly LanguageModelV4[]
  readonly instructions: Instructions | undefined
  /** Without a prototype, so that a look-up finds only tools. Those of sources are as they were read last. */
  readonly tools: Readonly<Record<string, ToolSpec>>
  /** Reads its tools again, if some of them come from a source. */
  readonly live?: LiveTools
  readonly output: Answer | undefined
  readonly backend: Step
  readonly prices: Prices | undefined
  readonly exposeReasoning: boolean
  start(input: UserContent, options?: StartOptions): Run<Output, Tools>
  /**
   * Resumes a run: by its id in the journal, or from `savedRun()`. Rejects with `run_unknown`, with `agent_mismatch` for
   * a run of another agent, or with `log_invalid` if the log is damaged.
   */
  resume(from: string | SavedRun, options?: ResumeOptions): Promise<Run<Output, Tools>>
}

export interface StartOptions extends Omit<ResumeOptions, 'renamedFrom'> {
  /** The run's id; by default a random one. */
  id?: string
  /** The key of the first message, as in `say`: a message with a known key is not added again. */
  key?: string
  /** Messages of an earlier conversation. */
  history?: readonly LanguageModelV4Message[]
  /** The parent run. `runChild` sets it. */
  parent?: Parent
}
export interface ResumeOptions {
  /** The journal that persists the log. Without one the log lives as long as the run object. */
  journal?: Journal
  /** The source of time, ids and effects; the page or process itself by default. */
  host?: Host
  /** Called with each event, from the first on. `observer()` makes one of hooks. */
  observers?: readonly Listener[]
  /**
   * A value for the agent's tools, instructions, policies and steps, such as the tenant of a request. It stays in this
   * process: no log, journal, file or client has it, so pass it again when you resume the run. Child runs share it.
   */
  context?: unknown
  /** The name that this agent had when the run began. A run of an agent of any other name is refused. */
  renamedFrom?: string
}

/** One execution, on any host. It continues over many user messages. */
export interface Run<Output = unknown, Tools extends ToolSet = ToolSet> {
  readonly id: string
  /** For inference only; never set. */
  readonly toolTypes?: Tools
  readonly state: RunState
  /** Its durable events, as plain JSON. The list grows with the run: `JSON.stringify(run.log)` saves it. */
  readonly log: readonly Event[]
  /** Resolves with the next signal; immediately, if the run is paused or finished. Never rejects. */
  readonly settled: Promise<Signal<Output>>
  /** Called synchronously after each event, live ones included. Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void
  /** Sends a user message. A running run receives it at its next turn. Resolves when the message is durable. */
  say(content: UserContent, options?: SayOptions): Promise<void>
  /**
   * Answers an open question, which may be given by its id. Resolves when the reply is durable. Rejects with
   * `reply_invalid` if it does not fit, and the question stays open; with `ask_unknown` if the question is not open.
   */
  // One signature and no overloads: the compiler then reports a wrong value at the value.
  reply<A extends Ask | string>(ask: A, value: ReplyTo<A>): Promise<void>
  /**
   * Removes a permission for later calls, by its id in `state.allowed`. Does nothing if there is none. A call that has
   * started continues. Resolves when this is durable.
   */
  revoke(id: string): Promise<void>
  /** Ends the work now, and keeps what has arrived. Resolves when the run has settled. A later message continues the run. */
  stop(reason?: string): Promise<void>
  /** Continues after `failed` or `stopped`, where it left off. Throws `run_busy` if the run waits for a message or a reply. */
  resume(): void
}

export interface SayOptions {
  /**
   * The key of the message: a message whose key is in the log is not added again. For messages that may be sent twice.
   */
  key?: string
  /**
   * The `seq` of a message that still waits: this one replaces it, at the end of the queue. With empty content it is
   * withdrawn. Rejects with `run_busy` if the model has it.
   */
  replaces?: number
  /** Interrupts the turn and the running tools, so that the model receives the message next. */
  now?: boolean
}

export type Listener = (event: AnyEvent, state: RunState) => void
export type EventOf<Type extends AnyEvent['type']> = Extract<AnyEvent, { readonly type: Type }>

/** The position at which a run is forked, and the changes in the new one. */
export interface ForkPoint {
  /** The `seq` of the last event to copy from the old run; by default that of its last one. */
  at?: number
  /** The new content of that event. */
  edit?: ForkEdit
  /** The new run's id; by default a random one. */
  id?: string
}

/** The new content of a message, output of an observation, or value of a reply. */
export type ForkEdit = { readonly content: UserContent } | { readonly output: Json } | { readonly value: Json }
