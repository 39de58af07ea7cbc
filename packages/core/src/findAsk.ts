import { AgentError } from './error.ts'
import type { Ask } from './question.ts'
import type { RunState } from './state.ts'

/** Returns an open question. Throws if the run has none of this id. */
export function findAsk({ asks }: RunState, id: string): Ask {
  const found = asks.find((open) => open.id === id)
  if (found) return found
  const open = asks.length > 0 ? `It asks: ${asks.map((other) => other.id).join(', ')}.` : 'It asks nothing now.'
  throw new AgentError('ask_unknown', `This run has no open question "${id}". ${open}`)
}
