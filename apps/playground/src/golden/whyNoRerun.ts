import type { Event } from '@interleave/core'

/** Returns why an agent with the recorded model and tools alone would not repeat a run; undefined if it would. */
export function whyNoRerun(events: readonly Event[]): string | undefined {
  let isResting = false
  for (const event of events) {
    const why = whyNot(event, isResting)
    if (why !== undefined) return why
    if (event.type === 'rested') isResting = true
    // The first message begins the run.
    else if (event.type !== 'replied') isResting = event.type === 'started'
  }
  return events.at(-1)?.type === 'rested' ? undefined : 'it has not come to rest'
}

function whyNot(event: Event, isResting: boolean): string | undefined {
  switch (event.type) {
    case 'started':
      if (event.parent) return 'it is a part of another run'
      return event.exposeReasoning === false ? 'its agent does not expose its thoughts' : undefined
    case 'said':
      if (event.by === 'agent') return 'its agent reminds itself'
      if (typeof event.content !== 'string') return 'files were sent to it'
      return isResting ? undefined : 'it was steered while it worked'
    case 'thought':
      return whyNotThought(event)
    case 'called':
    // It follows from the reply before.
    case 'allowed':
    // A turn that took long: it is told once it is done.
    case 'drafted':
      return undefined
    case 'observed':
      return whyNotObserved(event)
    case 'asked':
      return event.ask.call !== undefined && !event.ask.from ? undefined : 'something else than a tool asked in it'
    case 'disallowed':
      return 'a permission was taken back in it'
    case 'replied':
      return isResting ? undefined : 'it was answered while it worked'
    case 'rested':
      if (event.signal.type === 'inputNeeded') return undefined
      return event.signal.type === 'answer' && event.signal.reason === 'text'
        ? undefined
        : `it rested as ${event.signal.type}`
    default:
      return `its agent has steps of its own ("${event.type}")`
  }
}

function whyNotThought({ parts, error, finish }: Extract<Event, { type: 'thought' }>): string | undefined {
  const calls = parts.filter((part) => part.type === 'tool-call')
  if (error) return 'a turn of the model failed'
  if (calls.length > 1) return 'it calls several tools at once'
  if (calls.some(({ providerExecuted }) => providerExecuted)) return 'its provider runs tools'
  if (parts.some(({ type }) => !['text', 'reasoning', 'tool-call'].includes(type)))
    return 'its model gave more than text'
  return finish === undefined || ['stop', 'tool-calls'].includes(finish.unified) ? undefined : 'a turn was cut off'
}

function whyNotObserved({ result, output, error, final }: Extract<Event, { type: 'observed' }>): string | undefined {
  if (final) return 'a tool gave its answer'
  const given = 'value' in result ? result.value : undefined
  if (output !== undefined && JSON.stringify(output) !== JSON.stringify(given))
    return 'its model is given something else than its tools give'
  if (error) return ['tool_failed', 'tool_refused'].includes(error.code) ? undefined : 'a call was not made'
  return result.type === 'text' || result.type === 'json' ? undefined : 'a tool gave more than text and JSON'
}
