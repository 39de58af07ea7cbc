import { reduce } from '../changes/all.ts'
import type { Event } from '../event.ts'
import { type Ask, topicOf } from '../question.ts'
import { type Call, type CallStatus, initialState, latestTurn, type RunState } from '../state.ts'

/** The events of a call. Questions and replies are named by their subject. */
type CallEvent =
  | 'approval asked'
  | 'approved'
  | 'refused'
  | 'revoked'
  | 'claimed'
  | 'released'
  | 'asked'
  | 'replied'
  | 'awaited'
  | 'withdrawn'
  | 'effect begun'
  | 'noted'
  | 'interrupted'
  | 'decided'
  | 'relayed'
  | 'amended'
  | 'observed'
  | 'imported'

type Ways = { readonly [From in CallStatus]?: readonly CallStatus[] }

const stays: Ways = {
  proposed: ['proposed'],
  approving: ['approving'],
  approved: ['approved'],
  refused: ['refused'],
  started: ['started'],
  waiting: ['waiting'],
  interrupted: ['interrupted'],
}
const begun: Ways = { started: ['started'], waiting: ['waiting'], interrupted: ['interrupted'] }

// Without spreads, a bundler can omit the table where nothing reads it.

/** The ways of a call: which statuses each event is possible in, and where it leads. `docs/architecture.md` shows them as a picture. */
const callMoves: Readonly<Record<CallEvent, Ways>> = {
  // One that has begun, and whose tool has changed, is asked about again where it is.
  'approval asked': {
    proposed: ['approving'],
    approving: ['approving'],
    approved: ['approving'],
    refused: ['approving'],
    started: ['started'],
    waiting: ['waiting'],
    interrupted: ['interrupted'],
  },
  // By a reply, or by an earlier permission, which stands for the question too.
  approved: {
    proposed: ['approved'],
    approving: ['approved'],
    approved: ['approved'],
    started: ['started'],
    waiting: ['waiting'],
    interrupted: ['interrupted'],
  },
  refused: {
    approving: ['refused'],
    started: ['started'],
    waiting: ['waiting'],
    interrupted: ['interrupted'],
  },
  revoked: { approved: ['proposed'], approving: ['approving'] },
  claimed: {
    proposed: ['started'],
    approved: ['started'],
    started: ['started'],
    waiting: ['started'],
    interrupted: ['started'],
  },
  // One that may act stays.
  released: {
    started: ['proposed', 'approved', 'started'],
    waiting: ['waiting'],
    interrupted: ['interrupted'],
  },
  // One that acts on an earlier reply does not only wait.
  asked: {
    proposed: ['proposed'],
    approving: ['approving'],
    approved: ['approved'],
    refused: ['refused'],
    started: ['waiting', 'started'],
    waiting: ['waiting'],
    interrupted: ['interrupted'],
  },
  replied: begun,
  awaited: { started: ['started'], waiting: ['started'], interrupted: ['interrupted'] },
  withdrawn: {
    proposed: ['proposed'],
    approving: ['proposed', 'approved', 'approving'],
    approved: ['approved'],
    refused: ['refused'],
    started: ['started'],
    waiting: ['started', 'waiting'],
    interrupted: ['started', 'interrupted'],
  },
  'effect begun': begun,
  noted: stays,
  interrupted: { started: ['interrupted'], waiting: ['interrupted'], interrupted: ['interrupted'] },
  decided: { started: ['started'], interrupted: ['interrupted'] },
  // Questions of its child, or for a page, and their replies.
  relayed: stays,
  amended: { proposed: ['proposed'], done: ['done'] },
  observed: {
    proposed: ['done'],
    approving: ['done'],
    approved: ['done'],
    refused: ['done'],
    started: ['done'],
    waiting: ['done'],
    interrupted: ['done'],
  },
  // A call that was ever claimed may have run elsewhere, and a provider has not got its consent yet.
  imported: {
    proposed: ['proposed', 'started'],
    approving: ['proposed', 'started'],
    approved: ['proposed', 'started'],
    refused: ['proposed', 'started'],
    started: ['started'],
    waiting: ['started'],
    interrupted: ['started'],
    done: ['done', 'proposed'],
  },
}

/** Returns what a log does to its calls that the table does not allow, in words. */
export function wrongMoves(log: readonly Event[]): readonly string[] {
  const wrong: string[] = []
  let state: RunState = initialState
  for (const event of log) {
    const next = reduce(state, event)
    const closed = event.type === 'replied' || event.type === 'withdrawn' ? event.ask : undefined
    const ask = closed === undefined ? undefined : state.asks.find(({ id }) => id === closed)
    if (event.type !== 'thought')
      // The calls of a turn never move.
      for (const [index, call] of (latestTurn(state)?.calls ?? []).entries()) {
        const to = latestTurn(next)?.calls[index]?.status
        const happens = happensTo(call, event, ask)
        const ways: readonly (CallStatus | undefined)[] = happens
          ? (callMoves[happens][call.status] ?? [])
          : [call.status]
        if (!ways.includes(to)) wrong.push(`${event.seq} ${happens ?? event.type}: ${call.key} ${call.status} → ${to}`)
      }
    state = next
  }
  return wrong
}

/** Returns what an event does to a call; undefined if it is not about it. `ask` is the question that it closes. */
function happensTo(call: Call, event: Event, ask: Ask | undefined): CallEvent | undefined {
  switch (event.type) {
    case 'claimed':
      return event.call === call.key ? 'claimed' : undefined
    case 'effectBegun':
      return event.call === call.key ? 'effect begun' : undefined
    case 'released':
    case 'observed':
      return event.call === call.key ? event.type : undefined
    case 'noted':
      return event.call === call.key ? 'noted' : undefined
    case 'amended':
      return event.target === call.key ? 'amended' : undefined
    case 'imported':
      return 'imported'
    case 'revoked':
      return Object(call.consent).permission === event.id && call.status !== 'done' ? wasRevoked(call) : undefined
    case 'permitted':
      return event.ask.call === call.key ? (event.ask.from ? 'relayed' : 'approved') : undefined
    case 'asked':
      return event.ask.call === call.key ? asking(event.ask) : undefined
    case 'replied':
    case 'withdrawn':
      if (ask?.call !== call.key) return undefined
      return event.type === 'withdrawn' ? 'withdrawn' : replying(ask, event)
    default:
      return undefined
  }
}

/** A permission that is taken back does not reach a call that has begun. */
const wasRevoked = ({ status }: Call): CallEvent | undefined =>
  callMoves.revoked[status] === undefined ? undefined : 'revoked'

function asking(ask: Ask): CallEvent {
  switch (topicOf(ask)) {
    case 'approval':
      return 'approval asked'
    case 'interruption':
      return 'interrupted'
    case 'own':
      return 'asked'
    default:
      return 'relayed'
  }
}

function replying(ask: Ask, { value, awaited }: Extract<Event, { type: 'replied' }>): CallEvent {
  switch (topicOf(ask)) {
    case 'approval':
      return Object(value).approved === true ? 'approved' : 'refused'
    case 'interruption':
      return 'decided'
    case 'own':
      return awaited ? 'awaited' : 'replied'
    default:
      return 'relayed'
  }
}
