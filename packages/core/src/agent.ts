import type { LanguageModelV4 } from '@ai-sdk/provider'
import { checkArgument, checkHost, checkModels, checkOptions, DEV } from '#checks'
import { defaultBackend } from './agents/defaultBackend.ts'
import { LocalRun, type LocalRunOptions } from './engine/localRun.ts'
import { localHost } from './host.ts'
import type { Past, SavedRun } from './journal.ts'
import { assertOption, checkKey, checkMessageKey, checkRunId } from './options.ts'
import { isBlank, plainContent, plainMessages, type UserContent } from './part.ts'
import type { Agent, Answer, Instructions, ResumeOptions, Run, StartOptions, Step, ToolSource } from './run.ts'
import { initialState, logFormat } from './state.ts'
import { derivedAgent } from './step.ts'
import { toolDefinitions } from './steps/toolDefinitions.ts'
import { type ToolSet, type ToolSpec, toToolSpec } from './tool.ts'
import type { Prices } from './usage.ts'

/** Options of `agent()` with a model. */
export interface AgentOptions<Output = string, Tools extends ToolSet = ToolSet>
  extends OwnOptions<Output, Tools>,
    WithModel {}

/** Options of any agent. It is no union of whole options, so that the compiler marks a wrong one where it is. */
type AnyOptions<Output, Tools extends ToolSet> = OwnOptions<Output, Tools> & (Modelless | WithModel)

interface OwnOptions<Output, Tools extends ToolSet> {
  /** The name in logs and lists. */
  name: string
  /** The system prompt, or a function that computes it for each turn. */
  instructions?: Instructions
  /** By name: tools of `tool()`, and tools of the AI SDK unchanged. Or a source of tools that change, or a list of both. */
  tools?: Tools | ToolSource | readonly (Tools | ToolSource)[]
  /** The type of the answer: `answer(schema)`. Without one, the answer is the first plain text. */
  output?: Answer<Output>
  /** The prices of tokens: `prices(table)`. */
  prices?: Prices
  /** Stored in each log, so that a later version knows which one began a run; "1" by default. */
  version?: string
  /**
   * True by default. If false, `eventsOf()` and `recorder()` omit the agent's thoughts: its reasoning, and the text of turns
   * that call tools. The state, the scratchpad, `subscribe`, observers and the journal always have them.
   */
  exposeReasoning?: boolean
}

type Models = LanguageModelV4 | readonly LanguageModelV4[]

/** The backend needs no model, such as `delegate()` or a graph in which only other agents think. */
interface Modelless {
  model?: Models
  backend: Step & { readonly ownModel: boolean }
}

interface WithModel {
  /** Any model of the AI SDK's interface, version 4. In a list, the later ones are fallbacks. */
  model: Models
  /** The step that the run repeats; `reasonAct()` by default. */
  backend?: Step
}

/**
 * Describes an agent. It is immutable. Invalid options throw here, not in the first run.
 *
 * @example
 * const run = agent({ name: 'guide', model, tools: { search } }).start('Which museums open on Monday?')
 * const signal = await run.settled
 */
export function agent<Output = string, Tools extends ToolSet = ToolSet>(
  options: AnyOptions<Output, Tools>,
): Agent<Output, Tools>
export function agent<Output>(options: AnyOptions<Output, ToolSet>): Agent<Output> {
  checkOptions('agent()', options, [
    'name',
    'model',
    'instructions',
    'tools',
    'output',
    'backend',
    'prices',
    'version',
    'exposeReasoning',
  ])
  assertOption(options.name, DEV && 'An agent needs a name.')
  const { name, version = '1', instructions, backend = defaultBackend(), prices, exposeReasoning = true } = options
  checkArgument(name, '`name` of agent()', 'a string')
  assertOption(typeof version === 'string', DEV && 'The `version` of agent() must be a string, such as "2".')
  checkArgument(instructions ?? '', '`instructions` of agent()', 'a string or a function')
  checkArgument(backend, '`backend` of agent()', 'a function, such as reasonAct()')
  const { output } = options
  assertOption(
    output === undefined || typeof Object(output).stop === 'function',
    DEV && 'The `output` of agent() must be made with answer(): output: answer(schema).',
  )
  assertOption(
    prices === undefined || typeof Object(prices).costOf === 'function',
    DEV && 'The `prices` of agent() must be made with prices(): prices: prices(table).',
  )
  const models = Object.freeze([options.model ?? []].flat())
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
    start: (input: UserContent, start: StartOptions = {}) => begin(self, input, start),
    resume: (from: string | SavedRun, resume: ResumeOptions = {}) => resumeRun(self, from, resume),
  })
  return self
}

/** Returns the agent with another backend, such as one whose tools are recorded. */
export function withBackend<Output>(agent: Agent<Output>, backend: Step): Agent<Output> {
  const self: Agent<Output> = derivedAgent(agent, {
    backend,
    start: (input: UserContent, start: StartOptions = {}) => begin(self, input, start),
    resume: (from: string | SavedRun, resume: ResumeOptions = {}) => resumeRun(self, from, resume),
  })
  return self
}

const isSource = (part: object): part is ToolSource => typeof Object(part).engine === 'function'

function toTools(
  sets: readonly ToolSet[],
  { backend, output, toSpec }: { backend: Step; output: Answer | undefined; toSpec: typeof toToolSpec },
): Readonly<Record<string, ToolSpec>> {
  // Without a prototype, so that a model that calls "constructor" finds nothing.
  const tools: Record<string, ToolSpec> = Object.create(null)
  const add = (name: string, make: () => ToolSpec): void => {
    assertOption(
      !tools[name],
      DEV && `There are two tools "${name}": of the agent, a bundle or the backend. Rename one of them.`,
    )
    tools[name] = make()
  }
  for (const set of sets) {
    assertOption(
      set && typeof set === 'object' && !('inputSchema' in set),
      DEV && 'The `tools` of an agent must be an object by name: { search }.',
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

function begin<Output>(self: Agent<Output>, input: UserContent, given: StartOptions): Run<Output> {
  assertOption(!isBlank(input), DEV && 'An agent needs something to start with: a text that is not empty.')
  checkRunOptions('start()', given)
  const { id, key, history, parent, ...options } = given
  const runId = id ?? (options.host ?? localHost).newId()
  checkRunId(runId)
  checkMessageKey(key)
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
  checkRunOptions('resume()', options)
  const past = await pastOf(self, from, options)
  const run = new LocalRun(self, past, options)
  run.restart()
  return run
}

function pastOf(self: Agent, from: string | SavedRun, options: ResumeOptions): Past | PromiseLike<Past> {
  if (typeof (Object(from) as Partial<SavedRun>).open === 'function') return (from as SavedRun).open(self, options)
  const { journal } = options
  checkKey(from)
  assertOption(journal, DEV && 'To resume by id, use resume(id, { journal }).')
  return journal.engine.open(from, self, { ...options, journal })
}

/**
 * Checks the options of `start()` and `resume()`, since one object may hold both. Only `runChild` sets `parentSignal`,
 * and only it and hosts set `readContext`.
 */
function checkRunOptions(owner: string, options: StartOptions & LocalRunOptions): void {
  const { host = localHost }: ResumeOptions = Object(options)
  checkHost(host, owner)
  checkOptions(owner, options, [
    'id',
    'key',
    'history',
    'parent',
    'parentSignal',
    'journal',
    'host',
    'observers',
    'context',
    'readContext',
    'renamedFrom',
  ])
  const { journal } = options
  assertOption(
    journal === undefined || typeof Object(journal).engine?.open === 'function',
    DEV && 'The `journal` has no `engine`. Wrap your own with createJournal() of @interleave/core/journal.',
  )
}
