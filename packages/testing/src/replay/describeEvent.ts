import type { Event } from '@interleave/core'
import { joined } from '@interleave/core/internal'
import { short } from '../evaluate/plainText.ts'
import { formatTrace } from '../expectTrace.ts'
import type { Recording } from './recording.ts'

/** The first difference between a replay and the recorded run. */
export interface RunDifference {
  /** The `seq` of the recorded event; that of the last one if the replay has one more. */
  readonly seq: number
  /** The turn, counted from 1; 0 is before the first. */
  readonly iteration: number
  /** Both events as a trace shows them; undefined if there is none. */
  readonly recorded?: string
  readonly replayed?: string
  /** The difference in plain words. */
  readonly message: string
  /** The `seq` of the event to fork after, to repeat this turn. */
  readonly forkAt: number
}

export interface Differing {
  readonly index: number
  readonly replayed?: Event
  /** The reason, if it is not another event. */
  readonly why?: string
}

/** Describes the difference between a replay and the recording at an event. */
export function differenceAt(recording: Recording, { index, replayed, why }: Differing): RunDifference {
  const { events } = recording
  const recorded = events[index]
  const { seq, iteration } = recorded ?? events.at(-1) ?? { seq: 0, iteration: 0 }
  const was = recorded ? `the recorded run ${wordsOf(recorded, recording)}` : 'the recorded run ends'
  const is = why ?? (replayed ? `the replay ${wordsOf(replayed, recording)}` : 'the replay does nothing more')
  return {
    seq,
    iteration,
    ...(recorded && { recorded: formatTrace([recorded]) }),
    ...(replayed && { replayed: formatTrace([replayed]) }),
    message: `At event ${seq}${iteration > 0 ? `, in turn ${iteration}` : ''}, ${was}; ${is.replace(/\.$/, '')}.`,
    forkAt: forkBefore(events, iteration, seq),
  }
}

/** Returns the last event before the turn, so that a fork repeats the whole turn. */
function forkBefore(events: readonly Event[], iteration: number, seq: number): number {
  const thought = events.find((event) => event.type === 'thought' && event.iteration === Math.max(1, iteration))
  const first = thought && thought.seq <= seq ? thought.seq : seq
  return Math.max(0, first - 1)
}

function wordsOf(event: Event, recording: Recording): string {
  const toolOf = (call: string): string => recording.toolOf(call) ?? call
  switch (event.type) {
    case 'started':
      return `is of the agent "${event.agent}", version "${event.version}"`
    case 'said':
      return `${event.by === 'user' ? 'gets the message' : 'reminds itself:'} ${short(event.content)}`
    case 'thought': {
      const calls = event.parts.flatMap((part) =>
        part.type === 'tool-call' ? [`${part.toolName}(${short(part.input)})`] : [],
      )
      if (event.error) return `gets no turn of the model: ${event.error.message}`
      return calls.length > 0 ? `calls ${calls.join(' and ')}` : `has the model say ${short(joined(event, 'text'))}`
    }
    case 'claimed':
      return `starts ${toolOf(event.call)}${event.input === undefined ? '' : ` with ${short(event.input)}`}`
    case 'observed': {
      const { result, error } = event
      const tool = toolOf(event.call)
      return error
        ? `has ${tool} fail: ${error.message}`
        : `has ${tool} return ${short('value' in result ? result.value : '')}`
    }
    case 'asked':
      return `asks ${short(event.ask.prompt)}`
    case 'replied':
      return `gets the reply ${short(event.value)}`
    case 'permitted':
      return `needs no approval for ${short(event.ask.prompt)}`
    case 'noted':
      return `notes ${event.key}: ${short(event.value)}`
    case 'settled':
      return signalWords(event)
    default:
      return `has the event ${short(formatTrace([event]))}`
  }
}

function signalWords({ signal }: Extract<Event, { type: 'settled' }>): string {
  switch (signal.type) {
    case 'answer':
      return `answers ${short(signal.output)}`
    case 'inputNeeded':
      return 'waits for a reply'
    case 'limitReached':
      return `reaches the limit of ${signal.limit}`
    case 'failed':
      return `fails: ${signal.error.message}`
    case 'stopped':
      return `is stopped: ${signal.reason}`
  }
}
