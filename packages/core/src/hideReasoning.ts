import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { type AnyEvent, type Event, isKept, type LiveEvent } from './event.ts'
import { awaitsProvider } from './openCalls.ts'
import type { Part } from './part.ts'

/**
 * Creates a filter that removes the agent's thoughts from one stream of events: reasoning, the text of turns that call
 * tools, and messages of steps to the model. Durable events keep their position and `seq`. If a turn may call tools,
 * its text is held back until it is over.
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

/** Returns true for a turn without calls. A turn that was cut off might have called something. */
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

/** Removes text that steps store or send to the model, and summaries. They are thoughts too. */
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

/** Returns true for notes with thoughts: side calls, a router's reasons, and logs of child runs. */
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
