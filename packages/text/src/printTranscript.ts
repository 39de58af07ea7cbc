import type { RunState } from '@interleave/core'
import { assertOption, checkOptions, DEV, toMessages } from '@interleave/core/internal'
import type { TextFormat, TextLabels } from './format.ts'
import { stepWriter } from './stepWriter.ts'
import { type TranscriptItem, toTranscript } from './transcript.ts'

export interface PrintOptions {
  /** `react-numbered-bracket` by default, as in the ReAct paper. */
  format?: TextFormat
  labels?: Partial<TextLabels>
  /** The tool whose input is the final answer; `final_answer` by default. */
  answerTool?: string
}

/** Prints a run as text in a format, whatever kind of model it had. */
export function printTranscript(state: Pick<RunState, 'history' | 'pending'>, options: PrintOptions = {}): string {
  assertOption(Array.isArray(Object(state).history), DEV && 'printTranscript() needs a state, such as run.state.')
  const { history, pending = [] } = state
  checkOptions('printTranscript()', options, ['format', 'labels', 'answerTool'])
  const { format = 'react-numbered-bracket', labels, answerTool = 'final_answer' } = options
  const messages = [...history.flat(), ...pending].flatMap(toMessages)
  const writer = stepWriter({ format, labels, answerTool })
  let number = 0
  const print = (item: TranscriptItem): string => {
    if (item.type === 'step') return writer.step(item, ++number)
    if (item.type === 'observation') return writer.observation(item.text, number)
    return `User: ${item.content.map((part) => (part.type === 'text' ? part.text : '(a file)')).join('\n')}`
  }
  return toTranscript(messages, { answerTool, allReasoning: true }).map(print).join('\n')
}
