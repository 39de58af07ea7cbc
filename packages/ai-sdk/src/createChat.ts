import type { Event, Run, RunState } from '@interleave/core'
import { addUsage, hideReasoning, initialState, noUsage, type Said, shownRun } from '@interleave/core/internal'
import { type AnyEvent, isKept, type LiveEvent, reduce } from '@interleave/core/observe'
import { closeAsks, withAsk, withReply, withRest } from './askBlocks.ts'
import { withAmended, withCalled, withObserved, withoutProgress, withProgress, withResults } from './callBlocks.ts'
import { type ChatItem, isAnswer, type MessageView, type UserItem, withLastStep, withNewStep } from './messageView.ts'
import { turnBlocks, withDelta, withoutOpenTurn } from './turnBlocks.ts'

/** A run as a chat shows it. The same log gives the same chat, whether it is replayed or was live. */
export interface Chat {
  readonly items: readonly ChatItem[]
  /** User messages that no turn has received yet. They follow the items. */
  readonly waiting: readonly UserItem[]
  readonly state: RunState
  add(event: AnyEvent): void
}

/**
 * Groups events into chat items. An answer begins with its user message: immediately if the run had settled, otherwise
 * with the first turn that receives it.
 */
export function createChat(events: Iterable<AnyEvent> = []): Chat {
  let kept: Event[] = []
  let items: ChatItem[] = []
  let waiting: UserItem[] = []
  let state = initialState

  const begin = (heard: readonly UserItem[]): void => {
    const last = heard.at(-1)
    if (!last) return
    const { runId, agent } = state
    waiting = waiting.filter((item) => !heard.includes(item))
    const id = `${runId}/${last.seq}`
    items.push(...heard, { role: 'assistant', id, said: last.seq, runId, agent, steps: [], usage: noUsage })
  }
  const edit = (change: (view: MessageView) => MessageView): void => {
    const last = items.at(-1)
    if (last && isAnswer(last)) items[items.length - 1] = change(last)
  }
  const editAll = (change: (view: MessageView) => MessageView): void => {
    items = items.map((item) => (isAnswer(item) ? change(item) : item))
  }

  const addLive = (event: LiveEvent): void => {
    if (event.type === 'thinking') {
      const { heard = state.seq } = event
      begin(waiting.filter(({ seq }) => seq < heard))
      edit(withoutOpenTurn)
    }
    if (event.type === 'retrying') edit(withoutOpenTurn)
    if (event.type === 'delta') edit((view) => withDelta(view, event, state.iteration + 1))
    if (event.type === 'progressed') edit((view) => withProgress(view, event))
    if (event.type === 'rewound') restart(kept.slice(0, event.to))
  }
  const addKept = (event: Event, before: RunState): void => {
    if (event.type === 'seeded')
      items.push({ role: 'seeded', id: `${state.runId}/${event.seq}`, messages: event.messages })
    if (event.type === 'said' && event.by === 'user') {
      waiting.push(itemOf(event, state.runId))
      if (!items.some(isAnswer) || isOver(before)) begin(waiting)
    }
    if (event.type === 'thought') begin(waiting.filter(({ seq }) => seq < event.heard))
    edit((view) => afterEvent(view, event, state))
    if (event.type === 'replied') editAll((view) => withReply(view, event.ask, event.value))
    if (before.asks.length > 0) editAll((view) => closeAsks(view, state.asks))
    edit((view) => (view.rest === state.rest ? view : { ...view, rest: state.rest }))
  }
  const restart = (events: readonly Event[]): void => {
    kept = []
    items = []
    waiting = []
    state = initialState
    for (const event of events) add(event)
  }
  const add = (event: AnyEvent): void => {
    if (!isKept(event)) {
      addLive(event)
      return
    }
    const before = state
    state = reduce(state, event)
    kept.push(event)
    addKept(event, before)
  }

  for (const event of events) add(event)
  return {
    add,
    get items() {
      return items
    },
    get waiting() {
      return waiting
    },
    get state() {
      return state
    },
  }
}

const itemOf = ({ seq, key, content }: Said & { seq: number }, runId: string): UserItem => ({
  role: 'user',
  id: key ?? `${runId}/${seq}`,
  seq,
  content,
})

/** A message that comes then begins a request of its own. */
const isOver = ({ rest }: RunState): boolean => rest !== undefined && rest.type !== 'inputNeeded'

function afterEvent(view: MessageView, event: Event, state: RunState): MessageView {
  const spent = 'usage' in event && event.usage ? { ...view, usage: addUsage(view.usage, event.usage) } : view
  switch (event.type) {
    case 'thought': {
      const { blocks, results } = turnBlocks(event, event.iteration)
      const step = { blocks, turn: event.iteration }
      const told = spent.steps.at(-1)?.isOpen ? withLastStep(spent, step) : withNewStep(spent, step)
      return withResults(told, results)
    }
    case 'called':
      return withCalled(spent, event)
    case 'observed':
      return withObserved(spent, event)
    case 'amended':
      return withAmended(spent, event)
    case 'asked':
      return withAsk(spent, event.ask)
    case 'rested':
      return withRest(withoutProgress(spent), event.signal, state)
    default:
      return spent
  }
}

/** Returns the durable events of a run, without hidden thoughts. */
function shownEvents(run: Run): readonly AnyEvent[] {
  const events = shownRun(run).kept
  return run.state.exposeReasoning === false ? events.flatMap(hideReasoning({ mayCall: true })) : events
}

export const shownChat = (run: Run): Chat => createChat(shownEvents(run))
