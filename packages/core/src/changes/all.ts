import { together } from '../change.ts'
import type { AnyEvent, Event } from '../event.ts'
import { kernelChanges, reduce as reduceBy } from '../reduce.ts'
import { importedSignal } from '../signal.ts'
import { type Call, type Changes, initialState, latestTurn, type RunState, replaceLast } from '../state.ts'
import { compactionChanges } from './compaction.ts'
import { limitChanges } from './limits.ts'
import { permissionChanges } from './permissions.ts'
import { questionChanges } from './questions.ts'

/** The changes of what only a stored run has: the draft of a long turn, and a past from elsewhere. */
const storedChanges: Changes = {
  drafted(state, { text, reasoning }) {
    state.drafted = text || reasoning ? { text, reasoning } : undefined
  },
  imported: (state, { at }) => void Object.assign(state, importedChange(state, at)),
}

/** The changes of all events. A journal brings them, and so does what reads stored logs. */
export const allChanges: Changes = /* @__PURE__ */ together(
  kernelChanges,
  questionChanges,
  limitChanges,
  permissionChanges,
  compactionChanges,
  storedChanges,
)

/** Returns the state after an event of any run. */
export const reduce = (state: RunState, event: AnyEvent): RunState => reduceBy(state, event, allChanges)

/** Reduces one event after the other. */
export function fold(events: Iterable<Event>, before: RunState = initialState): RunState {
  let state = before
  for (const event of events) state = reduce(state, event)
  return state
}

/** Applies an import: the past stays, but no permission, reply or limit of it counts for what is still open. */
function importedChange(state: RunState, at: number): Partial<RunState> {
  const { signal, iteration, toolCalls, usage } = state
  const { seq } = state.request
  return {
    ...openAgain(state),
    mayLackChildren: true,
    signal: signal?.type === 'answer' || signal?.type === 'failed' ? signal : importedSignal,
    draft: undefined,
    asks: [],
    permissions: undefined,
    extensions: {},
    // Answers count only for questions that were asked here.
    questions: undefined,
    request: { seq, startedAt: at, iteration, toolCalls, usage, settledMs: 0 },
  }
}

/** Removes the consent of a call that a provider runs: it has not run until the provider receives the consent. */
function withoutConsent(call: Call): Call {
  const { key, id, name, proposed, input, approvalId, invalid, claimedAt, resumes, result } = call
  if (result && approvalId === undefined) return call
  return {
    key,
    id,
    name,
    input: proposed ?? input,
    // A call that was ever claimed may have run elsewhere.
    status: claimedAt === undefined ? 'proposed' : 'started',
    ...(approvalId !== undefined && { approvalId }),
    ...(invalid !== undefined && { invalid }),
    ...(claimedAt !== undefined && { claimedAt }),
    ...(resumes && { resumes }),
  }
}

function openAgain(state: RunState): Pick<RunState, 'history'> | undefined {
  const turn = latestTurn(state)
  return turn && { history: replaceLast(state.history, { ...turn, calls: turn.calls.map(withoutConsent) }) }
}
