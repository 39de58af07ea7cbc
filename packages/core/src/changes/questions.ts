import { answered, isAsking, waiting, withdrawn } from '../call.ts'
import { awake, note } from '../change.ts'
import type { Ask } from '../question.ts'
import { addMember } from '../record.ts'
import { isOwnLimit } from '../signal.ts'
import { type Changes, changeCall, type EventOf, type Next } from '../state.ts'

/** The changes of questions of tools and steps, and of replies to them. Limits of the run bring their own. */
export const questionChanges: Changes = {
  asked: (state, event) => ask(state, event.ask),
  replied: reply,
  withdrawn: withdraw,
  observed(state, { call }) {
    if (state.asks.some((ask) => ask.call === call)) state.asks = state.asks.filter((ask) => ask.call !== call)
  },
  rested(state, { signal }) {
    if (signal.type === 'stopped') state.asks = []
  },
}

export function ask(state: Next, asked: Ask): void {
  if (isOwnLimit(asked)) return
  state.asks = [...state.asks, asked]
  if (asked.call === undefined) addMember(state, 'questions', [asked.id, asked])
  else changeCall(state, asked.call, (call) => waiting(call, asked))
}

function withdraw(state: Next, { ask: id, at }: EventOf<'withdrawn'>): void {
  const ask = state.asks.find((open) => open.id === id)
  if (ask?.call !== undefined) changeCall(state, ask.call, (call) => withdrawn(call, ask))
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
}

type Reply = Pick<EventOf<'replied'>, 'ask' | 'value' | 'at' | 'taken'>

export function reply(state: Next, { ask: id, value, at, taken }: Reply): void {
  const ask = state.asks.find((open) => open.id === id)
  if (!ask || isOwnLimit(ask)) return
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
  if (ask.call === undefined) {
    note(state, { key: id, value })
    return
  }
  const waits = !taken && ask.kind !== 'approval'
  const acts = taken === true && isAsking(state, { key: ask.call })
  changeCall(state, ask.call, (call) => answered(call, { id, value, taken: taken === true, waits, acts }))
}
