const leftOut = '[left out]'

/** Removes what was sent to the model: messages of users and steps, earlier conversations, summaries. */
export function leaveOutPrompts<T>(data: T): T {
  return leave(data) as T
}

function leave(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(leave)
  if (typeof value !== 'object' || value === null) return value
  const event = value as Readonly<Record<string, unknown>>
  switch (event.type) {
    case 'said':
      return { ...event, content: leftOut }
    case 'seeded':
    case 'compacted':
      return { ...event, messages: Array.isArray(event.messages) ? event.messages.map(withoutWords) : [] }
    case 'amended':
      return 'content' in event ? { ...event, content: leftOut } : event
    default:
      return isEvent(event)
        ? event
        : Object.fromEntries(Object.entries(event).map(([key, member]) => [key, leave(member)]))
  }
}

const isEvent = ({ seq, type }: Readonly<Record<string, unknown>>): boolean =>
  typeof seq === 'number' && typeof type === 'string'

/** Returns a message with its role and position, but without content. */
function withoutWords(message: unknown): unknown {
  const { role, content } = Object(message) as { role?: unknown; content?: unknown }
  if (role === 'system') return { role, content: leftOut }
  const parts = (Array.isArray(content) ? content : []).filter(
    ({ type }) => type !== 'text' && type !== 'file' && type !== 'reasoning',
  )
  return { role, content: role === 'tool' ? parts : [{ type: 'text', text: leftOut }, ...parts] }
}
