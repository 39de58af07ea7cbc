import { checkOptions, DEV } from '#checks'
import { inTime } from '../engine/wait.ts'
import { AgentError, messageOf, quietly } from '../error.ts'
import { asJson, cached, checksumOf, digestOf, isObject, sameJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { Activity, Agent, LiveParts, LiveTools, RunContext, ToolSource } from '../run.ts'
import { awaitsThought, noteOf, type RunState } from '../state.ts'
import { derivedAgent, stateForTurn } from '../step.ts'
import { type ToolSet, type ToolSpec, toToolSpec } from '../tool.ts'
import { describedAs } from './pinned.ts'

export type ToolSourceOptions = Pick<ToolSource, 'current' | 'follow' | 'timeoutMs' | 'missing'>

/**
 * Makes a source of tools that change while an agent works. They are read before each turn: a new tool is added at the
 * end, and a call of a removed tool returns an error to the model. The first turn waits for the tools, so the agent may
 * be made before they are available.
 *
 * @example
 * const own = toolSource({ current: async () => toolsFor(await plugins.list()) })
 * const helper = agent({ name: 'helper', model, tools: [own, { search }] })
 */
export function toolSource(options: ToolSourceOptions): ToolSource {
  checkOptions('toolSource()', options, ['current', 'follow', 'timeoutMs', 'missing'])
  const { current, follow, ...given } = options
  assertOption(current, DEV && 'toolSource() needs `current`, a function that returns the tools by name.')
  return { ...given, current, ...(follow && { follow: shared(follow) }), engine: (parts) => new ChangingTools(parts) }
}

/** Begins something for the first user, and ends it after the last one. */
function shared(begin: () => () => void): () => () => void {
  let users = 0
  let end = (): void => {}
  return () => {
    if (users === 0) end = begin()
    assertOption(typeof end === 'function', DEV && '`follow` of a tool source must return a function that ends it.')
    users++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--users === 0) end()
    }
  }
}

/** Milliseconds that the first turn waits for the tools of a source that does not say how long. */
const firstMs = 30_000
/** Milliseconds that later turns wait. After that they use the tools that were read before. */
const laterMs = 5_000
const mostTools = 4_096
const mostChanges = 8

/** The name of a tool, and a digest of its description and schemas. */
type Noted = readonly [name: string, digest: string]

type Tools = Agent['tools']

class ChangingTools implements LiveTools {
  readonly #parts: LiveParts
  #tools: Tools
  #sets: readonly ToolSet[] | undefined
  #reading: Promise<void> | undefined
  /** The number of readings that have begun, and the last one whose tools were taken. */
  #reads = 0
  #latest = 0
  readonly #specs = new WeakMap<object, ToolSpec>()
  readonly #digests = new WeakMap<object, Promise<string>>()
  /** The number of times that the tool of a call has changed while a user was asked. */
  readonly #changes = new WeakMap<Activity, number>()
  /** The tools in the order of a log: the same object for all turns, as long as nothing changes. */
  readonly #ordered = new WeakMap<Tools, Map<string, Tools>>()

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.#tools = parts.own
  }

  get own(): Tools {
    return this.#parts.own
  }

  get tools(): Tools {
    return this.#tools
  }

  async enter(run: RunContext): Promise<RunContext> {
    const { sources } = this.#parts
    for (const source of sources) if (source.follow) run.whileActive(source, () => startFollowing(source))
    let isResumed = false
    run.whileActive(this, () => {
      isResumed = true
      return () => {}
    })
    const isTurn = awaitsThought(stateForTurn(run))
    if (isTurn || isResumed) await this.#read(run)
    const tools = this.#tools
    const before = notedIn(run)
    const noted = isTurn ? await this.#inOrder(tools, before) : before
    if (isTurn && !sameJson(noted, before)) run.emit({ type: 'noted', key: keyOf(run), value: asJson(noted) })
    if (isTurn) this.#noteMissing(run)
    return run.with({ agent: this.#agentWith(tools, run.agent, noted) })
  }

  #noteMissing(run: RunContext): void {
    const missing = this.#parts.sources.flatMap((source) => source.missing?.() ?? [])
    const key = `${missingKey}${run.agent.name}`
    const before = noteOf(run.state, key) ?? []
    if (!sameJson(missing, before)) run.emit({ type: 'noted', key, value: asJson(missing) })
  }

  async unlessSame(run: RunContext, spec: ToolSpec, activity: Activity): Promise<RunContext | undefined> {
    await this.#read(run)
    const tools = this.#tools
    const now = tools[spec.name]
    if (now === spec || (now && (await this.#digest(now)) === (await this.#digest(spec)))) return undefined
    const changes = (this.#changes.get(activity) ?? 0) + 1
    if (changes > mostChanges)
      throw new AgentError('tool_unknown', `"${spec.name}" changes again and again, so it cannot be called.`)
    this.#changes.set(activity, changes)
    return run.with({ agent: this.#agentWith(tools, run.agent, notedIn(run)) })
  }

  async promptFor(run: RunContext, spec: ToolSpec, prompt: string): Promise<string> {
    const noted = notedIn(run).find(([name]) => name === spec.name)
    const isSame = noted === undefined || noted[1] === (await this.#digest(spec))
    return isSame ? prompt : `${spec.name} has changed since it was called. ${prompt}`
  }

  /** Reads the tools, unless the run is stopped first. If that fails, the previous ones stay. */
  async #read(run: RunContext): Promise<void> {
    this.#reading ??= this.#readAll(++this.#reads)
    const reading = this.#reading
    const forget = (): void => {
      if (this.#reading === reading) this.#reading = undefined
    }
    reading.then(forget, forget)
    try {
      await inTime(run, { name: 'reading', timeoutMs: this.#sets ? laterMs : this.#firstMs }, () => reading)
    } catch (error) {
      run.abortSignal.throwIfAborted()
      // This reading may never end, so the next turn starts another.
      forget()
      if (this.#sets) return
      const message = `The tools of the agent "${run.agent.name}" cannot be read: ${messageOf(error).replace(/\.$/, '')}. Continue the run with resume().`
      throw new AgentError('tools_unavailable', message, { cause: error, retryable: true })
    }
  }

  get #firstMs(): number {
    return Math.max(...this.#parts.sources.map(({ timeoutMs = firstMs }) => timeoutMs))
  }

  async #readAll(number: number): Promise<void> {
    const sets = await Promise.all(this.#parts.sources.map(async (source) => source.current()))
    for (const set of sets) {
      assertOption(isObject(set), DEV && '`current` of a tool source must return an object of tools by name.')
      const count = Object.keys(set).length
      assertOption(count <= mostTools, DEV && `A tool source has ${count} tools. ${mostTools} are possible.`)
    }
    // A later reading was faster.
    if (number < this.#latest) return
    this.#latest = number
    if (this.#sets && sets.every((set, index) => isSame(set, this.#sets?.[index] ?? {}))) return
    this.#tools = this.#parts.toTools(sets, (name, given) => this.#spec(name, given))
    this.#sets = sets.map((set) => ({ ...set }))
  }

  #spec(name: string, given: unknown): ToolSpec {
    const known = isObject(given) ? this.#specs.get(given) : undefined
    if (known?.name === name) return known
    const spec = toToolSpec(name, given)
    if (isObject(given)) this.#specs.set(given, spec)
    return spec
  }

  /** Orders the names as the log has them, so that the beginning of the prompt stays the same. */
  #inOrder(tools: Tools, before: readonly Noted[]): Promise<readonly Noted[]> {
    const { own } = this.#parts
    const names = new Set([...before.map(([name]) => name), ...Object.keys(tools)])
    const changing = [...names].flatMap((name) => (own[name] ? [] : (tools[name] ?? [])))
    return Promise.all(changing.map(async (spec) => [spec.name, await this.#digest(spec)] as const))
  }

  #digest(spec: ToolSpec): Promise<string> {
    return cached(this.#digests, spec, () =>
      describedAs(spec.name, { ...spec })
        .then((text) => (globalThis.crypto?.subtle ? digestOf(text) : checksumOf(text)))
        .catch(() => ''),
    )
  }

  /** Returns the agent with these tools. It may be that of a node, with its own instructions. */
  #agentWith(tools: Tools, agent: Agent, noted: readonly Noted[]): Agent {
    const ordered = this.#orderedBy(noted, tools)
    return agent.tools === ordered ? agent : derivedAgent(agent, { tools: ordered })
  }

  #orderedBy(noted: readonly Noted[], tools: Tools): Tools {
    const { own } = this.#parts
    const key = noted.map(([name]) => name).join(' ')
    const orders = cached(this.#ordered, tools, () => new Map<string, Tools>())
    const known = orders.get(key)
    if (known) return known
    const ordered: Record<string, ToolSpec> = Object.create(null)
    for (const name of [...Object.keys(own), ...noted.map(([each]) => each), ...Object.keys(tools)])
      if (tools[name]) ordered[name] = tools[name]
    orders.set(key, Object.freeze(ordered))
    return ordered
  }
}

const keyOf = ({ agent: { name } }: RunContext): string => `tools/${name}`

const missingKey = 'missing/'

/**
 * Returns the names of the servers whose tools a run lacks now, since they could not be reached: those of `mcpTools(…, {
 * optional: true })`, and of other sources with `missing()`.
 */
export function missingTools({ notes }: Pick<RunState, 'notes'>): readonly string[] {
  const noted = Object.keys(notes).flatMap((key) => (key.startsWith(missingKey) ? notes[key] : []))
  return [...new Set(noted.filter((each) => typeof each === 'string'))]
}

function notedIn(run: RunContext): readonly Noted[] {
  const noted: unknown = noteOf(run.state, keyOf(run))
  return Array.isArray(noted) ? noted.filter(isNoted) : []
}

const isNoted = (each: unknown): each is Noted =>
  Array.isArray(each) && each.every((member) => typeof member === 'string')

const isSame = (one: ToolSet, other: ToolSet): boolean => {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}

/** Starts to follow a source. A source that cannot be followed is still read before each turn. */
function startFollowing({ follow }: ToolSource): () => void {
  const end = follow && quietly(follow)
  return () => void (end && quietly(end))
}
