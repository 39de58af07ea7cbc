import type { Event } from '@interleave/core'
import { wordsOf } from './wordsOf.ts'

/** An event in a few words, for a row of a list. */
export function summaryOf(event: Event): string {
  switch (event.type) {
    case 'started':
      return event.agent
    case 'said':
      return wordsOf(event.content)
    case 'drafted':
      return event.text || event.reasoning
    case 'thought':
      return event.error?.message ?? event.parts.map(partWords).filter(Boolean).join(' ')
    case 'called':
      return event.call
    case 'observed':
      return event.error ? `${event.call} failed: ${event.error.message}` : event.call
    case 'asked':
      return event.ask.prompt
    case 'replied':
      return JSON.stringify(event.value).slice(0, 80)
    case 'withdrawn':
      return event.ask
    case 'noted':
      return event.key
    case 'amended':
      return event.reason
    case 'rested':
      return event.signal.type
    case 'seeded':
    case 'compacted':
      return `${event.messages.length} messages`
    case 'resumed':
      return ''
    case 'imported':
      return 'from a file'
  }
}

type Part = Extract<Event, { type: 'thought' }>['parts'][number]

function partWords(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'tool-call' ? `→ ${part.toolName}` : ''
}
