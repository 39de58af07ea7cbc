import type { Event } from '@interleave/core'
import { checkArgument, checkEvents, joined } from '@interleave/core/internal'
import type { AnyEvent } from '@interleave/core/observe'
import { isKept } from '@interleave/core/observe'

/**
 * Formats a log as text, one line per event, without times, for golden traces. The order of events is total, so with a
 * scripted model the text is always the same. Omits drafts, which depend on timing.
 */
export function formatTrace(events: Iterable<AnyEvent>): string {
  checkEvents(events, 'formatTrace()')
  const lines: string[] = []
  for (const event of events)
    if (isKept(event) && event.type !== 'drafted') lines.push(`${event.iteration} ${event.type}${details(event)}`)
  return lines.join('\n')
}

/** Throws with the difference unless the log has exactly this trace. Ignores indentation and blank lines. */
export function expectTrace(events: Iterable<AnyEvent>, expected: string): void {
  checkEvents(events, 'expectTrace()')
  checkArgument(expected, 'second argument of expectTrace()', 'a string')
  const actual = formatTrace(events)
  const wanted = dedent(expected)
  if (actual === wanted) return
  const [are, want] = [actual.split('\n'), wanted.split('\n')]
  const line = are.findIndex((text, index) => text !== want[index])
  const at = line === -1 ? are.length : line
  throw new Error(
    `The trace differs at line ${at + 1}:\n  is:     ${are[at] ?? '(end)'}\n  wanted: ${want[at] ?? '(end)'}\n\nThe whole trace:\n${actual}`,
  )
}

function details(event: Exclude<Event, { type: 'drafted' }>): string {
  switch (event.type) {
    case 'started':
      return ` ${event.agent}`
    case 'seeded':
      return ` ${event.messages.length} messages`
    case 'said':
      return ` ${event.by} ${json(event.content)}`
    case 'thought': {
      const calls = event.parts.map((part) =>
        part.type === 'tool-call' ? ` ${part.toolName}(${json(part.input)})` : '',
      )
      return ` ${json(joined(event, 'text'))}${calls.join('')}${event.error ? ` !${event.error.code}` : ''}`
    }
    case 'claimed':
      return ` ${event.call}${event.input === undefined ? '' : ` ${json(event.input)}`}`
    case 'released':
      return ` ${event.call}`
    case 'effectBegun':
      return ` ${event.call} ${event.name}`
    case 'observed':
      return ` ${event.call} ${event.result.type} ${json('value' in event.result ? event.result.value : event.result.reason)}`
    case 'amended':
      return ` ${event.target} ${json(event.reason)}`
    case 'asked':
      return ` ${event.ask.id} ${event.ask.kind} ${json(event.ask.prompt)}`
    case 'replied':
      return ` ${event.ask} ${json(event.value)}`
    case 'withdrawn':
      return ` ${event.ask}`
    case 'permitted':
      return ` ${event.ask.id} by ${event.by}`
    case 'revoked':
      return ` ${event.id}`
    case 'noted':
      return ` ${event.key} ${json(event.value)}`
    case 'compacted':
      return ` ${event.messages.length} messages, ${event.keep} kept`
    case 'resumed':
    case 'imported':
      return ''
    case 'settled':
      return ` ${event.signal.type}${signalOf(event)}`
  }
}

function signalOf({ signal }: Extract<Event, { type: 'settled' }>): string {
  switch (signal.type) {
    case 'answer':
      return ` ${json(signal.output)}`
    case 'inputNeeded':
      return ` ${signal.asks.map(({ id }) => id).join(' ')}`
    case 'limitReached':
      return ` ${signal.limit} ${signal.used}/${signal.allowed}`
    case 'failed':
      return ` ${signal.error.code}`
    case 'stopped':
      return ` ${json(signal.reason)}`
  }
}

const json = (value: unknown): string => JSON.stringify(value) ?? ''

const dedent = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
