import type { UserContent } from '../part.ts'
import type { EventOf } from '../run.ts'
import { joined } from '../scratchpad.ts'
import type { TextMessage } from './chatMessage.ts'

/** Returns the text of a turn, if there is any. */
export function textMessages(turn: EventOf<'thought'>): readonly TextMessage[] {
  const { iteration, at, parts, model, ms, error } = turn
  const [text, reasoning] = [joined({ parts }, 'text'), joined({ parts }, 'reasoning')]
  if (!text.trim() && !reasoning.trim()) return []
  const key = textKey(iteration)
  const cut = error && { error }
  return [{ type: 'text', key, at, text, reasoning, isStreaming: false, isAnswer: false, model, ms, ...cut }]
}

/** The same while it streams and afterwards. */
export const textKey = (iteration: number): string => `${iteration}/text`

/** The words of a message. */
export const textOf = (content: UserContent): string =>
  typeof content === 'string'
    ? content
    : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
