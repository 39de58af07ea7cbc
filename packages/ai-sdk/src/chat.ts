import type { Ask, Event, Run, RunState } from '@interleave/core'
import {
  addUsage,
  hideReasoning,
  initialState,
  lastOf,
  noUsage,
  reduce,
  type Said,
  shownRun,
} from '@interleave/core/internal'
import { type AnyEvent, isKept, type LiveEvent } from '@interleave/core/observe'
import { closeAsk, withAsk, withReply, withSignal } from './askBlocks.ts'
import { type ChatItem, isAnswer, type MessageView, type UserItem, withLastStep, withNewStep } from './messageView.ts'
import {
  turnBlocks,
  withAmended,
  withCalled,
  withDelta,
  withObserved,
  withoutOpenTurn,
  withoutProgress,
  withProgress,
  withResults,
} from './turnBlocks.ts'

/** Groups events into chat items. An answer begins with its user message, or with the turn that receives it. */
export class Chat {
  /** Messages of the user that no turn has received yet. They follow the items. */
  waiting: readonly UserItem[] = []
  state: RunState = initialState
  #items: ChatItem[] = []
  #log: Event[] = []
  /** The positions of the answers in which each question was asked. */
  readonly #asked = new Map<string, Set<number>>()

  constructor(events: Iterable<AnyEvent> = []) {
    for (const event of events) this.add(event)
  }

  get items(): readonly ChatItem[] {
    return this.#items
  }

  add(event: AnyEvent): void {
    if (isKept(event)) this.#addDurable(event)
    else this.#addLive(event)
  }

  #addLive(event: LiveEvent): void {
    if (event.type === 'thinking') {
      const { readUntil = this.state.seq } = event
      this.#begin(this.waiting.filter(({ seq }) => seq < readUntil))
      this.#edit(withoutOpenTurn)
    }
    if (event.type === 'retrying') this.#edit(withoutOpenTurn)
    if (event.type === 'delta') this.#edit((view) => withDelta(view, event, this.state.iteration + 1))
    if (event.type === 'progressed') this.#edit((view) => withProgress(view, event))
    if (event.type === 'rewound') this.#restart(this.#log.slice(0, event.to))
  }

  #addDurable(event: Event): void {
    const before = this.state
    const state = reduce(before, event)
    this.state = state
    this.#log.push(event)
    if (event.type === 'seeded')
      this.#push({ role: 'seeded', id: `${state.runId}/${event.seq}`, messages: event.messages })
    if (event.type === 'said' && event.by === 'user') {
      const waiting = this.waiting.filter(({ seq }) => seq !== event.replaces)
      this.waiting = event.content === '' ? waiting : [...waiting, itemOf(event, state.runId)]
      const beginsRequest = before.signal !== undefined && before.signal.type !== 'inputNeeded'
      if (!this.items.some(isAnswer) || beginsRequest) this.#begin(this.waiting)
    }
    if (event.type === 'thought') this.#begin(this.waiting.filter(({ seq }) => seq < event.readUntil))
    if (event.type === 'asked') this.#ask(event.ask)
    this.#edit((view) => afterEvent(view, event, state))
    if (event.type === 'replied') this.#editAsked(event.ask, (view) => withReply(view, event))
    if (before.asks !== state.asks) this.#close(before.asks, state.asks)
    this.#edit((view) => (view.signal === state.signal ? view : { ...view, signal: state.signal }))
  }

  #begin(received: readonly UserItem[]): void {
    const last = received.at(-1)
    if (!last) return
    const { runId, agent } = this.state
    this.waiting = this.waiting.filter((item) => !received.includes(item))
    const id = `${runId}/${last.seq}`
    this.#push(...received, { role: 'assistant', id, said: last.seq, runId, agent, steps: [], usage: noUsage })
  }
  #push(...items: readonly ChatItem[]): void {
    this.#items.push(...items)
  }
  #edit(change: (view: MessageView) => MessageView): void {
    const last = this.#items.at(-1)
    if (last && isAnswer(last)) this.#items[this.#items.length - 1] = change(last)
  }
  #ask(ask: Ask): void {
    const known = this.#asked.get(ask.id)
    this.#edit((view) => withAsk(view, ask, known !== undefined))
    this.#asked.set(ask.id, (known ?? new Set()).add(this.#items.length - 1))
  }
  #close(asks: readonly Ask[], open: readonly Ask[]): void {
    const ids = new Set(open.map(({ id }) => id))
    for (const { id } of asks) if (!ids.has(id)) this.#editAsked(id, (view) => closeAsk(view, id))
  }
  /** Edits the answers in which a question was asked. */
  #editAsked(id: string, change: (view: MessageView) => MessageView): void {
    for (const at of this.#asked.get(id) ?? []) {
      const item = this.#items[at]
      if (item && isAnswer(item)) this.#items[at] = change(item)
    }
  }
  #restart(events: readonly Event[]): void {
    this.#log = []
    this.#items = []
    this.#asked.clear()
    this.waiting = []
    this.state = initialState
    for (const event of events) this.add(event)
  }
}

const itemOf = ({ seq, key, content }: Said & { seq: number }, runId: string): UserItem => ({
  role: 'user',
  id: key ?? `${runId}/${seq}`,
  seq,
  content,
})

function afterEvent(view: MessageView, event: Event, state: RunState): MessageView {
  const spent = 'usage' in event && event.usage ? { ...view, usage: addUsage(view.usage, event.usage) } : view
  switch (event.type) {
    case 'thought': {
      const { blocks, results } = turnBlocks(event, event.iteration)
      const step = { blocks, turn: event.iteration }
      return withResults(lastOf(spent.steps)?.isOpen ? withLastStep(spent, step) : withNewStep(spent, step), results)
    }
    case 'claimed':
      return withCalled(spent, event)
    case 'observed':
      return withObserved(spent, event)
    case 'amended':
      return withAmended(spent, event)
    case 'settled':
      return withSignal(withoutProgress(spent), event.signal, state)
    default:
      return spent
  }
}

/** Creates the chat of the durable events of a run, without hidden thoughts. */
export function shownChat(run: Run): Chat {
  const { log } = shownRun(run)
  return new Chat(run.state.exposeReasoning === false ? log.flatMap(hideReasoning({ mayCall: true })) : log)
}
