import type { LanguageModelV4 } from '@ai-sdk/provider'
import { defaultBackend } from './agents/reasonAct.ts'
import { LocalRun, type LocalRunOptions } from './engine/localRun.ts'
import { localHost } from './host.ts'
import type { Past, SavedRun } from './journal.ts'
import {
  assertOption,
  checkKey,
  checkMessageKey,
  checkRunId,
  hostWords,
  type KnownOptions,
  refuseUnknown,
  sdkOptions,
} from './options.ts'
import { type GivenContent, isBlank, plainContent, plainMessages } from './part.ts'
import type { Agent, Instructions, ResumeOptions, Run, StartOptions, Step, ToolSource } from './run.ts'
import { type CompiledSchema, compileSchema, type Schema } from './schema.ts'
import { initialState, logFormat } from './state.ts'
import { derivedAgent } from './step.ts'
import { toolDefinitions } from './steps/toolDefinitions.ts'
import { type ToolSet, type ToolSpec, toToolSpec } from './tool.ts'
import type { PriceTable } from './usage.ts'

export interface AgentOptions<Output = string, Tools extends ToolSet = ToolSet> {
  /** The name in logs and lists. */
  name: string
  /** Any model of the AI SDK's interface, version 4. In a list, the later ones are fallbacks. */
  model: LanguageModelV4 | readonly LanguageModelV4[]
  /** The system prompt, or a function that computes it for each turn. */
  instructions?: Instructions
  /** By name: tools of `tool()`, and tools of the AI SDK unchanged. Or a source of tools that change, or a list of both. */
  tools?: Tools | ToolSource | readonly (Tools | ToolSource)[]
  /** The type of the answer. The model must then answer through a tool with this schema. */
  output?: Schema<Output>
  /** The step that the run repeats; `reasonAct()` by default. */
  backend?: Step
  /** Token prices, by model id. */
  prices?: PriceTable
  /** Stored in each log, so that a later version knows which one began a run; "1" by default. */
  version?: string
  /**
   * True by default. If false, `eventsOf()` and `recorder()` omit the agent's thoughts: its reasoning, and the text of turns
   * that call tools. The state, the scratchpad, `subscribe`, observers and the journal always have them.
   */
  exposeReasoning?: boolean
}

/**
 * Options of an agent whose backend needs no model, such as `delegate()` or a graph in which only other agents think.
 */
export interface ModellessOptions<Output = string, Tools extends ToolSet = ToolSet>
  extends Omit<AgentOptions<Output, Tools>, 'model' | 'backend'> {
  backend: Step & { readonly ownModel: boolean }
}

/**
 * Describes an agent. It is immutable. Invalid options throw here, not in the first run.
 *
 * @example
 * const run = agent({ name: 'guide', model, tools: { search } }).start('Which museums open on Monday?')
 * const signal = await run.settled
 */
export function agent<Output = string, Tools extends ToolSet = ToolSet>(
  options: ModellessOptions<Output, Tools>,
): Agent<Output, Tools>
export function agent<Output = string, Tools extends ToolSet = ToolSet>(
  options: AgentOptions<Output, Tools>,
): Agent<Output, Tools>
export function agent<Output = string>(options: AgentOptions<Output> | ModellessOptions<Output>): Agent<Output> {
  refuseUnknown('agent()', options, agentOptions, sdkOptions)
  assertOption(options.name, 'An agent needs a name.')
  const { name, version = '1', instructions, backend = defaultBackend(), prices, exposeReasoning = true } = options
  const output = options.output && compileSchema(options.output, `The output of the agent "${name}"`)
  const models = Object.freeze(['model' in options ? options.model : []].flat() as LanguageModelV4[])
  if (!backend.ownModel || models.length > 0) checkModels(models)
  const parts: readonly (ToolSet | ToolSource)[] = [options.tools ?? {}].flat()
  const own = parts.filter((part): part is ToolSet => !isSource(part))
  const sources = parts.filter(isSource)
  const makeTools = (sets: readonly ToolSet[], toSpec = toToolSpec) =>
    toTools([...own, ...sets], { backend, output, toSpec })
  const tools = makeTools([])
  const live = sources[0]?.engine({ sources, own: tools, toTools: makeTools })
  const self: Agent<Output> = Object.freeze({
    name,
    version,
    models,
    instructions,
    ...(live && { live }),
    get tools() {
      return live ? live.tools : tools
    },
    output,
    backend,
    prices,
    exposeReasoning,
    start: (input: GivenContent, start: StartOptions = {}) => begin(self, input, start),
    resume: (from: string | SavedRun, resume: ResumeOptions = {}) => resumeRun(self, from, resume),
  })
  return self
}

/** Returns the agent with another backend, such as one whose tools are recorded. */
export function withBackend<Output>(agent: Agent<Output>, backend: Step): Agent<Output> {
  const self: Agent<Output> = derivedAgent(agent, {
    backend,
    start: (input: GivenContent, start: StartOptions = {}) => begin(self, input, start),
    resume: (from: string | SavedRun, resume: ResumeOptions = {}) => resumeRun(self, from, resume),
  })
  return self
}

const agentOptions: KnownOptions<AgentOptions> = {
  name: 'a string',
  model: true,
  instructions: 'a string or a function',
  tools: true,
  output: true,
  backend: 'a function, such as reasonAct()',
  prices: 'an object by model id or a function',
  version: 'a string, such as "2"',
  exposeReasoning: 'a boolean',
}
/**
 * The options of `start()` and `resume()`, since one object may hold both. Only `runChild` sets `parentSignal`, and only
 * it and hosts set `readContext`.
 */
const runOptions: KnownOptions<StartOptions & LocalRunOptions> = {
  id: 'a string',
  key: 'a string',
  history: 'a list',
  parent: true,
  parentSignal: true,
  journal: true,
  host: hostWords,
  observers: 'a list',
  context: true,
  readContext: 'a function',
  renamedFrom: 'a string',
}

function checkModels(models: readonly LanguageModelV4[]): void {
  assertOption(models[0], 'An agent needs a model, such as openai("gpt-5") of @ai-sdk/openai.')
  for (const model of models) {
    assertOption(
      typeof model !== 'string',
      `The \`model\` is the string "${model}". Give a model object, such as ${modelCall(String(model))}, or languageModel("${model}") of @interleave/ai-sdk.`,
    )
    const { specificationVersion: version = 'unknown', doStream } = (model ?? {}) as Partial<LanguageModelV4>
    assertOption(
      version === 'v4' && typeof doStream === 'function',
      typeof model === 'function'
        ? 'The `model` is a provider. Call it with the name of a model, such as openai("gpt-5").'
        : `The \`model\` has the interface ${String(version)}, not v4. Use a provider of the AI SDK 7, such as @ai-sdk/openai@4, or languageModel(model) of @interleave/ai-sdk.`,
    )
  }
}

/** Returns the provider's call that makes the model of this name: a gateway's name starts with the provider. */
function modelCall(name: string): string {
  const [, provider = 'openai', id = name] = /^(\w+)\/(.+)$/s.exec(name) ?? []
  return `${provider}("${id}")`
}

const isSource = (part: object): part is ToolSource => typeof Object(part).engine === 'function'

function toTools(
  sets: readonly ToolSet[],
  { backend, output, toSpec }: { backend: Step; output: CompiledSchema | undefined; toSpec: typeof toToolSpec },
): Readonly<Record<string, ToolSpec>> {
  // Without a prototype, so that a model that calls "constructor" finds nothing.
  const tools: Record<string, ToolSpec> = Object.create(null)
  const add = (name: string, make: () => ToolSpec): void => {
    assertOption(
      !tools[name],
      `There are two tools "${name}": of the agent, a bundle or the backend. Rename one of them.`,
    )
    tools[name] = make()
  }
  for (const set of sets) {
    assertOption(
      set && typeof set === 'object' && !('inputSchema' in set),
      'The `tools` of an agent must be an object by name: { search }.',
    )
    for (const [name, given] of withBundled(set)) add(name, () => toSpec(name, given))
  }
  for (const spec of backend.tools?.({ output }) ?? []) add(spec.name, () => spec)
  // A schema that a model cannot receive throws here, and not in the first run.
  const definitions = toolDefinitions({ tools: Object.freeze(tools) })
  if (definitions instanceof Promise) definitions.catch(() => {})
  return tools
}

/** Yields the tools, each bundle before its contents. */
function* withBundled(set: ToolSet): Generator<[string, object]> {
  for (const [name, description] of Object.entries(set)) {
    yield [name, description]
    const { bundled } = (description ?? {}) as { bundled?: (name: string) => ToolSet }
    if (typeof bundled === 'function') yield* withBundled(bundled(name))
  }
}

function begin<Output>(self: Agent<Output>, input: GivenContent, given: StartOptions): Run<Output> {
  assertOption(!isBlank(input), 'An agent needs something to start with: a text that is not empty.')
  refuseUnknown('start()', given, runOptions, sdkOptions)
  const { id, key, history, parent, ...options } = given
  const runId = id ?? (options.host ?? localHost).newId()
  checkRunId(runId)
  checkMessageKey(key)
  checkJournal(options.journal)
  const { name: agent, version, exposeReasoning } = self
  const run = new LocalRun(self, { state: initialState, events: [] }, options)
  run.begin([
    {
      type: 'started',
      runId,
      agent,
      version,
      ...(logFormat > 1 && { format: logFormat }),
      ...(parent && { parent }),
      ...(!exposeReasoning && { exposeReasoning }),
    },
    ...(history && history.length > 0 ? [{ type: 'seeded', messages: plainMessages(history) } as const] : []),
    { type: 'said', by: 'user', content: plainContent(input), ...(key !== undefined && { key }) },
  ])
  return run
}

async function resumeRun<Output>(
  self: Agent<Output>,
  from: string | SavedRun,
  options: ResumeOptions,
): Promise<Run<Output>> {
  refuseUnknown('resume()', options, runOptions, sdkOptions)
  checkJournal(options.journal)
  const past = await pastOf(self, from, options)
  const run = new LocalRun(self, past, options)
  run.restart()
  return run
}

function pastOf(self: Agent, from: string | SavedRun, options: ResumeOptions): Past | PromiseLike<Past> {
  if (typeof (Object(from) as Partial<SavedRun>).open === 'function') return (from as SavedRun).open(self, options)
  const { journal } = options
  checkKey(from)
  assertOption(journal, 'To resume by id, use resume(id, { journal }).')
  return journal.engine.open(from, self, { ...options, journal })
}

function checkJournal(journal: ResumeOptions['journal']): void {
  assertOption(
    journal === undefined || typeof Object(journal).engine?.open === 'function',
    'The `journal` has no `engine`. Wrap your own with createJournal() of @interleave/core/journal.',
  )
}
