import { type Agent, AgentError, type Event, type Json, type Step } from '@interleave/core'
import {
  approvalEngine,
  asking,
  derivedAgent,
  fromFailure,
  isElsewhere,
  keyOf,
  orStopped,
  type Readying,
} from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { RecordedSources } from './recordedSources.ts'
import type { Stage } from './stage.ts'

type RunContext = Parameters<Step>[0]
type Activity = ReturnType<RunContext['activity']>
type ToolSpec = Agent['tools'][string]
type AskOf = Activity['ask']
type Execute = NonNullable<ToolSpec['execute']>
type ToolContext = Parameters<Execute>[1]
/** The context of a tool that has its own log, such as another agent. */
type Inside = ToolContext & { readonly run?: RunContext; readonly activity?: Activity }

/**
 * Returns the backend of an agent with recorded tools: each repeats its questions, notes and result in the order of the
 * log. Includes those of other agents that work on the run, such as those of a router.
 */
export function withRecordedTools(backend: Step, stage: Stage): Step {
  const recorded = new WeakMap<Agent['tools'], Agent['tools']>()
  const playing: Playing = { stage, activities: new Map() }
  const sources = new WeakMap<object, RecordedSources>()
  const isPlayed = !stage.runsTools
  const sourcesOf = ({ live }: Agent): RecordedSources | undefined => {
    if (stage.readsSources) return undefined
    if (!live || live instanceof RecordedSources) return live
    const known = sources.get(live) ?? new RecordedSources(stage, live.own)
    sources.set(live, known)
    return known
  }
  const change = (agent: Agent): Agent => {
    if (!isPlayed) return agent
    const live = sourcesOf(agent)
    const given = live && live !== agent.live ? live.own : agent.tools
    const tools = recorded.get(given) ?? Object.assign(Object.create(null), mapTools(given, playing))
    recorded.set(given, tools).set(tools, tools)
    return given === tools ? agent : (derivedAgent(agent, { tools, live }) as Agent)
  }
  const { tools, instructions, mayCall, ownModel } = backend
  const step = (run: RunContext) => {
    const given = (members: object): object =>
      'agent' in members ? { ...members, agent: change(members.agent as Agent) } : members
    stage.enter(run)
    const own: RunContext = run.with({
      agent: change(run.agent),
      childAgent: <Output>(agent: Agent<Output>, runId: string) => stage.childAgent(agent, runId),
      activity(call?: string) {
        const activity = run.activity(call)
        return isPlayed ? askingInOrder(activity, { run, playing, call }) : activity
      },
      with<Members extends object>(this: RunContext, members: Members) {
        return run.with.call(this, given(members)) as RunContext & Members
      },
    })
    return backend(own)
  }
  return Object.assign(step, {
    ...(tools && { tools }),
    ...(instructions !== undefined && { instructions }),
    ...(mayCall !== undefined && { mayCall }),
    ...(ownModel !== undefined && { ownModel }),
  })
}

interface Playing {
  readonly stage: Stage
  /** The latest activity of each call. */
  readonly activities: Map<string, Activity>
}

const mapTools = (tools: Agent['tools'], playing: Playing) =>
  Object.fromEntries(Object.entries(tools).map(([name, spec]) => [name, recordedTool(spec, playing)]))

/** Returns a recorded tool. If the app does the work, it answers the call, and its reply is in the log. */
function recordedTool(given: ToolSpec, playing: Playing): ToolSpec {
  const spec = { ...given, ready: begins(playing.stage) }
  if (!spec.execute || isElsewhere(spec.execute)) return Object.freeze(spec)
  const results = new Map<string, unknown>()
  // Hooks on the input are for runs that happen.
  const { onInput: _, turns: { receiver: __, ...turns } = {}, ...plain } = spec
  return Object.freeze({
    ...plain,
    turns,
    async execute(_: unknown, context: ToolContext) {
      const call = playCall(playing, context)
      // Nothing else ends a tool that resumes, such as an agent.
      const { result, output } = await (spec.resumes ? orStopped(call, context.abortSignal) : call)
      results.set(context.toolCallId, result)
      return output ?? ('value' in result ? result.value : undefined)
    },
    toModelOutput: ({ toolCallId }: { toolCallId: string }) => results.get(toolCallId),
  }) as ToolSpec
}

interface Asking {
  readonly run: RunContext
  readonly playing: Playing
  readonly call: string | undefined
}

/** Makes concurrent calls ask in the order of the log, however fast their tools and policies are now. */
function askingInOrder(activity: Activity, { run, playing, call }: Asking): Activity {
  const { recording, length, until } = playing.stage
  const ask = activity.ask.bind(activity)
  const part = activity.activity.bind(activity)
  if (call !== undefined) playing.activities.set(call, activity)
  const inOrder: AskOf = (key, question) => {
    // After a crash it may be open already.
    const isOpen = run.state.asks.some(({ id }) => keyOf(id) === key)
    const asked = isOpen ? -1 : recording.index.first(`asked ${key}`, length())
    const index = call === undefined ? asked : beforeDoing(recording.events, asked, call)
    return index > length() ? until(index).then(() => ask(key, question)) : ask(key, question)
  }
  return Object.assign(activity, {
    ask: inOrder,
    activity: (of?: string) => askingInOrder(part(of), { run, playing, call: of }),
  })
}

/** Makes a call start where it did in the log, or at its first other event, which is then the difference. */
function begins({ recording, length, until }: Stage): NonNullable<ToolSpec['ready']> {
  return (readying) => {
    const { run, call } = readying as Readying
    // A call that continues after a crash has already started.
    if (call.claimedAt !== undefined || run.state.runId !== recording.started.runId) return undefined
    const first = recording.index.first(`of ${call.key}`, length())
    return first > length() ? until(first) : undefined
  }
}

/** Repeats a call of the log: its questions, its notes, and its result or failure. */
async function playCall({ stage, activities }: Playing, context: Inside): Promise<EventOf<'observed'>> {
  const { recording, until } = stage
  const call = context.idempotencyKey.slice(recording.started.runId.length + 1)
  const end = recording.index.first(`observed ${call}`)
  const begin = recording.index.first(`claimed ${call}`)
  const activity = activities.get(call)
  const during = recording.index.all(`during ${call}`)
  /** Where the questions were closed that are asked no more when the function runs again. */
  const closed = new Map<string, number>()
  for (const index of during) {
    const event = recording.events[index]
    if (event?.type === 'withdrawn' && index < stage.length()) closed.set(event.ask, index)
  }
  for (const index of during) {
    const event = recording.events[index]
    if (event?.type === 'asked' && index < (closed.get(event.ask.id) ?? 0)) continue
    if (!event || index < begin || (end >= 0 && index > end) || !isOfCall(event, call)) continue
    // Events that the log has already are not awaited: the function runs again from its top after a crash.
    await until(beforeDoing(recording.events, index, call))
    if (event.type === 'effectBegun') beginEffect(stage, context, event)
    else if (event.type === 'asked' || event.type === 'permitted') void ask(context, event.ask).catch(() => {})
    else if (event.type === 'noted') note(context, event, index >= stage.length())
    else if (event.type === 'withdrawn' && index >= stage.length()) context.activity?.settle(event.ask)
    // It may work on while a question is open, and waits once the run has paused.
    activity?.setWorking(event.type !== 'settled')
    // After a crash the log would not have the note: the call's time was up while it did that.
    const wasLate = isDoing(event, call) && isAboutInterrupted(recording.events[index + 1], call)
    if (wasLate && index >= stage.length()) throw new AgentError('tool_interrupted', 'Its time was up.')
  }
  const observed = recording.events[end]
  // A user ends it by a stop of the run.
  if (observed?.type !== 'observed' || isCutByStop(observed, recording.events[begin])) return new Promise(() => {})
  await until(end)
  if (observed.error) throw fromFailure(observed.error)
  return observed
}

/** Returns true if a stop of the run ended the call. An agent that works as a tool may have ended by itself. */
const isCutByStop = ({ error }: EventOf<'observed'>, called: Event | undefined): boolean =>
  error?.code === 'stopped' && called?.type === 'claimed' && !called.resumes

/** Returns true for the begin of an effect that runs while the call waits, or right before it asks. */
const isDoing = (event: Event | undefined, call: string): boolean =>
  event?.type === 'effectBegun' && event.call === call

/** Returns true for the question whether an interrupted call has run. */
const isAboutInterrupted = (event: Event | undefined, call: string): boolean =>
  event?.type === 'asked' && event.ask.call === call && event.ask.about === 'interruption'

/** Returns the first event of a question: the engine adds the begins of running effects right before it. */
function beforeDoing(events: readonly Event[], index: number, call: string): number {
  let end = index
  while (isDoing(events[end], call)) end++
  const asked = events[end]
  if (asked?.type !== 'asked' || asked.ask.call !== call) return index
  while (isDoing(events[index - 1], call)) index--
  return index
}

/** Begins a `once` that ends when its result is in the log. */
function beginEffect({ recording, until }: Stage, { once }: Inside, { call, name }: EventOf<'effectBegun'>): void {
  const end = recording.index.first(`noted ${call}/once/${name}`)
  const noted = recording.events[end]
  const result = async (): Promise<Json> => (noted?.type === 'noted' ? noted.value : null)
  void once(name, () => (noted ? until(end).then(result) : new Promise<Json>(() => {}))).catch(() => {})
}

type Noted = EventOf<'noted'>
type Asked = EventOf<'asked'> | EventOf<'permitted'>

/** Returns true for the tool's own events. The engine itself asks for approval and about a crash of its own calls. */
function isOfCall(event: Event, call: string): boolean {
  if (event.type === 'settled') return true
  if (event.type === 'withdrawn') return event.ask.startsWith(`${call}>`) || event.ask.startsWith(`${call}~`)
  if (event.type === 'noted' || event.type === 'effectBegun') return event.call === call
  if ((event.type !== 'asked' && event.type !== 'permitted') || event.ask.call !== call) return false
  return event.ask.from !== undefined || (event.ask.kind !== 'approval' && event.ask.about === undefined)
}

function ask({ ask: own, activity }: Inside, { id, call: _, ...question }: Asked['ask']): Promise<unknown> {
  const accepting = { ...asking(question, approvalEngine), check: (value: unknown) => ({ ok: true, value }) as const }
  return activity ? activity.ask(id, accepting) : own(accepting)
}

function note({ run, once }: Inside, { key, value, call, usage }: Noted, isNew: boolean): void {
  const [, name] = key.split(`${call}/once/`)
  if (name !== undefined) void once(name, () => value as Json).catch(() => {})
  else if (isNew) run?.emit({ type: 'noted', key, value, ...(call !== undefined && { call }), ...(usage && { usage }) })
}
