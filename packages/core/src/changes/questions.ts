import { isClaimed, mayAct, withoutConsent } from '../call.ts'
import { awake, note } from '../change.ts'
import type { Json } from '../json.ts'
import { type Ask, topicOf } from '../question.ts'
import { addMember, copyOf } from '../record.ts'
import { isOwnLimit } from '../signal.ts'
import {
  type Call,
  type Changes,
  callOf,
  changeCall,
  type EventOf,
  type Next,
  onceKey,
  type RunState,
} from '../state.ts'

/**
 * The changes of questions of tools and steps, of replies to them, and of effects that run meanwhile. Limits of the run
 * bring their own.
 */
export const questionChanges: Changes = {
  asked: (state, event) => ask(state, event.ask),
  replied: reply,
  withdrawn: withdraw,
  claimed: claimAgain,
  released: (state, { call }) => changeCall(state, call, released),
  effectBegun: (state, event) => changeCall(state, event.call, (call) => effectBegun(call, event)),
  noted(state, { call: key, key: note }) {
    if (key !== undefined && callOf(state, key)?.effects) changeCall(state, key, (call) => effectDone(call, note))
  },
  observed(state, { call }) {
    if (hasAsked(callOf(state, call))) changeCall(state, call, ended)
    if (state.asks.some((ask) => ask.call === call)) state.asks = state.asks.filter((ask) => ask.call !== call)
  },
  settled(state, { signal }) {
    if (signal.type === 'stopped') state.asks = []
  },
}

export function ask(state: Next, asked: Ask): void {
  if (isOwnLimit(asked)) return
  state.asks = [...state.asks, asked]
  if (asked.call === undefined) addMember(state, 'questions', [asked.id, asked])
  else changeCall(state, asked.call, (call) => askedBy(call, asked))
}

/** Applies a question of a call. One that has begun stays so, also if its changed tool must be approved again. */
function askedBy(call: Call, asked: Ask): Call {
  const next = copyOf(call)
  addMember(next, 'questions', [asked.id, asked])
  const topic = topicOf(asked)
  if (topic === 'approval') {
    delete next.consent
    if (!isClaimed(call) && call.status !== 'done') next.status = 'approving'
  } else if (topic === 'interruption') {
    if (!isClaimed(call)) return next
    next.status = 'interrupted'
    delete next.answered
    delete next.decision
  } else if (topic === 'own' && call.status === 'started' && !call.branches) next.status = 'waiting'
  return next
}

function withdraw(state: Next, { ask: id, at }: EventOf<'withdrawn'>): void {
  const ask = state.asks.find((open) => open.id === id)
  if (ask?.call !== undefined) changeCall(state, ask.call, (call) => withdrawn(call, ask))
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
}

/** Applies that a question of a call is withdrawn. A function whose own question it is may work on. */
function withdrawn(call: Call, ask: Ask): Call {
  const { status, answered: _, ...others } = call
  const topic = topicOf(ask)
  if (topic === 'approval' && status === 'approving') return { ...call, status: 'proposed' }
  const worksOn = (topic === 'own' && status === 'waiting') || (topic === 'interruption' && status === 'interrupted')
  return worksOn ? { ...others, status: 'started' } : call
}

type Reply = Pick<EventOf<'replied'>, 'ask' | 'value' | 'at' | 'awaited'>

export function reply(state: Next, { ask: id, value, at, awaited }: Reply): void {
  const ask = state.asks.find((open) => open.id === id)
  if (!ask || isOwnLimit(ask)) return
  state.asks = state.asks.filter((open) => open !== ask)
  awake(state, at)
  if (ask.call === undefined) {
    note(state, { key: id, value })
    return
  }
  const others = isAsking(state, ask.call)
  changeCall(state, ask.call, (call) => repliedTo(call, { ask, value, awaited: awaited === true, others }))
}

interface Replied {
  readonly ask: Ask
  readonly value: Json
  /** The function has received the reply. Until then it has done nothing with it. */
  readonly awaited: boolean
  /** The function waits for other replies. */
  readonly others: boolean
}

function repliedTo(call: Call, { ask, value, awaited, others }: Replied): Call {
  const next = copyOf(call)
  addMember(next, 'notes', [ask.id, value])
  switch (topicOf(ask)) {
    case 'approval': {
      const isApproved = Object(value).approved === true
      if (isApproved) next.consent = 'user'
      else delete next.consent
      if (!isClaimed(call)) next.status = isApproved ? 'approved' : 'refused'
      return next
    }
    case 'interruption':
      next.decision = value
      return next
    case 'own':
      if (!awaited) {
        if (call.status === 'waiting') next.answered = true
        return next
      }
      delete next.answered
      if (others) next.branches = true
      if (call.status === 'waiting') next.status = 'started'
      return next
    default:
      return next
  }
}

/** Returns true if the function of a call waits for a reply. */
const isAsking = ({ asks }: Pick<RunState, 'asks'>, call: string): boolean =>
  asks.some((open) => open.call === call && topicOf(open) === 'own')

/** Returns true if the call may have members that an attempt, or its end, takes away. */
const hasAsked = (call: Call | undefined): boolean => call?.questions !== undefined || call?.effects !== undefined

/** While a question of its function is open, a claimed call may act on an earlier reply at any time. */
function claimAgain(state: Next, { call: key }: EventOf<'claimed'>): void {
  if (!hasAsked(callOf(state, key))) return
  const branches = isAsking(state, key)
  changeCall(state, key, (call) => ({ ...forNextAttempt(call), ...(branches && { branches }) }))
}

/** Removes what is about one attempt: another interruption is asked about again. */
function forNextAttempt(call: Call): Call {
  const next = afterAttempt(call)
  const { notes, questions } = call
  if (!notes || !questions) return next
  const left = Object.entries(notes).filter(([id]) => questions[id]?.about !== 'interruption')
  return { ...next, notes: Object.fromEntries(left) }
}

/**
 * Releases a call that could not be claimed: it has not started. One that may act stays. Without a consent it is proposed
 * again, as one whose permission was taken back meanwhile.
 */
function released(call: Call): Call {
  if (call.status !== 'started' || mayAct(call)) return call
  return call.consent ? { ...call, status: 'approved' } : withoutConsent({ ...call, status: 'proposed' })
}

/** Notes that an effect runs. It may have happened until its result is in the log. */
function effectBegun(call: Call, { name }: EventOf<'effectBegun'>): Call {
  const { effects = [] } = call
  return effects.includes(name) ? call : { ...call, effects: [...effects, name] }
}

function effectDone(call: Call, note: string): Call {
  const { effects, ...others } = call
  const left = effects?.filter((name) => onceKey(name, call.key) !== note)
  return left?.length ? { ...call, effects: left } : others
}

const ended = ({ questions: _, ...call }: Call): Call => afterAttempt(call)

const afterAttempt = ({ answered: _, decision: __, branches: ___, effects: ____, ...call }: Call): Call => call
