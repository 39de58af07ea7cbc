import type { EventOf } from '../run.ts'
import type { ChatMessage } from './chatMessage.ts'
import { textOf } from './textMessages.ts'

/** Returns the messages of an earlier conversation. */
export const seededMessages = ({ seq, messages }: EventOf<'seeded'>): readonly ChatMessage[] =>
  messages.flatMap((message, index): ChatMessage[] => {
    const place = { key: `seeded/${seq}/${index}`, at: 0 }
    if (message.role === 'user') {
      const text = textOf(message.content)
      return [{ type: 'user', ...place, seq, content: message.content, text, isHeard: true }]
    }
    if (message.role !== 'assistant') return []
    const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    return text.trim() ? [{ type: 'text', ...place, text, reasoning: '', isStreaming: false, isAnswer: false }] : []
  })
