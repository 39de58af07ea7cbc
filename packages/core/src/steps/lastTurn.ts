import { limitNoteOf, noteLimit } from '../limitNote.ts'
import { latestTurn } from '../openCalls.ts'
import type { RunContext } from '../run.ts'
import { sayOnce } from '../sayOnce.ts'
import type { RunState } from '../state.ts'
import { terminalTools } from '../terminalTools.ts'

/** Makes the next turn one in which the model has to answer with what it has. */
export function planLastTurn(run: RunContext): undefined {
  const next = run.state.iteration + 1
  const { last: known = next } = limitNoteOf(run.state)
  noteLast(run, next)
  const terminal = terminalTools(run.agent)
  // Told not to call, a model is still told of its tools: some providers refuse a history of calls without them.
  run.replan(
    terminal.length > 0 ? { tools: terminal, toolChoice: { type: 'required' } } : { toolChoice: { type: 'none' } },
  )
  // One that failed was told already.
  if (known !== next) return
  const how = terminal.length > 0 ? ` by calling ${terminal.join(' or ')}` : ' and call no tool'
  sayOnce(run, `This is your last turn. Answer now with what you have${how}. Say what is missing or uncertain.`)
}

function noteLast(run: RunContext, last: number): void {
  if (limitNoteOf(run.state).last !== last) noteLimit(run, { last })
}

export const hadLastTurn = (state: RunState): boolean => limitNoteOf(state).last !== undefined

/** Returns true if the last turn is announced and has not happened yet, or was cut off. */
export function isLastTurnDue(state: RunState): boolean {
  const { last } = limitNoteOf(state)
  return last === state.iteration + 1 || (last === state.iteration && latestTurn(state)?.error !== undefined)
}
