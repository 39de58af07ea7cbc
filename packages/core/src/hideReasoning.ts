import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { type AnyEvent, type Event, isKept, type LiveEvent } from './event.ts'
import { awaitsProvider } from './openCalls.ts'
import type { Part } from './part.ts'

/**
 * Takes the agent's thoughts out of a stream of events: reasoning, the text of turns that call tools, and what steps write
 * for the model. Each kept event stays in its place, with its `seq`. Where a turn may call tools, the text that streams is
 * held back until the turn is over. One of them for each stream.
 */
export function hideReasoning({ mayCall }: { mayCall: boolean }): (event: AnyEvent) => readonly AnyEvent[] {
  let text: LiveEvent[] = []
  return (event) => {
    if (event.type === 'delta' && event.kind === 'reasoning') return []
    if (event.type === 'delta' && event.kind === 'text' && mayCall) {
      text.push(event)
      return []
    }
    if (!isKept(event)) {
      // What had arrived of the turn is void.
      if (event.type === 'retrying' || event.type === 'thinking') text = []
      return [event]
    }
    if (event.type !== 'thought') return [withoutWords(event)]
    const held = text
    text = []
    return isAnswer(event) ? [...held, withoutThoughts(event)] : [withoutThoughts(event)]
  }
}

type ThoughtEvent = Extract<Event, { type: 'thought' }>

/** A turn that calls nothing. Of one that was cut off nobody knows what it would have called. */
const isAnswer = (turn: ThoughtEvent): boolean => !turn.error && !turn.parts.some(isCall) && !awaitsProvider(turn)

const isCall = (part: Part): boolean =>
  (part.type === 'tool-call' && !part.providerExecuted) || part.type === 'tool-approval-request'

/** Metadata goes too: some providers keep reasoning there. */
function withoutThoughts(event: ThoughtEvent): ThoughtEvent {
  const { providerMetadata: _, ...turn } = event
  const answers = isAnswer(event)
  const shown = turn.parts.filter(({ type }) => !isReasoning(type) && (answers || type !== 'text'))
  return { ...turn, parts: shown.map(plain) }
}

const isReasoning = (type: string): boolean => type === 'reasoning' || type === 'reasoning-file'

function plain(part: Part): Part {
  const { providerMetadata: _, ...rest } = part
  return rest
}

/** What steps keep and say for the model are thoughts too, and so is a summary of the history. */
function withoutWords(event: Event): Event {
  switch (event.type) {
    case 'said':
      return event.by === 'agent' ? { ...event, content: '' } : event
    case 'noted':
      return isThought(event.key) ? { ...event, value: null } : event
    case 'drafted':
      return { ...event, text: '', reasoning: '' }
    case 'compacted':
      return { ...event, messages: [] }
    case 'seeded':
      return { ...event, messages: event.messages.map(withoutThoughtsOf) }
    default:
      return event
  }
}

/** What a model said beside the conversation, why a router decided, and the whole logs of runs below. */
const isThought = (key: string): boolean =>
  key.startsWith('consult/') || key.startsWith('route/') || key.includes('>log/')

function withoutThoughtsOf(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant') return message
  const calls = message.content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  return {
    ...message,
    content: message.content.filter(({ type }) => !isReasoning(type) && !(calls && type === 'text')),
  }
}
