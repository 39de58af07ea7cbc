import type { RunState } from '@interleave/core'
import { type KnownOptions, refuseUnknown, toMessages } from '@interleave/core/internal'
import type { TextFormat, TextLabels } from './format.ts'
import { writings } from './formatWriting.ts'
import { type StepWriter, stepWriter } from './stepWriter.ts'
import { type TranscriptItem, toTranscript } from './transcript.ts'

export interface PrintOptions {
  /** `react-numbered-bracket` by default, as in the ReAct paper. */
  format?: TextFormat
  labels?: Partial<TextLabels>
  /** The tool whose input is the final answer; `final_answer` by default. */
  answerTool?: string
}

/**
 * Prints a run as text, whatever kind of model it had: messages, and each thought, action and observation in the
 * format.
 */
export function printTranscript(
  { history, pending }: Pick<RunState, 'history' | 'pending'>,
  options: PrintOptions = {},
): string {
  refuseUnknown('printTranscript()', options, printOptions)
  const { format = 'react-numbered-bracket', labels, answerTool = 'final_answer' } = options
  const messages = [...history.flat(), ...pending].flatMap(toMessages)
  return print(toTranscript(messages, { answerTool, allReasoning: true }), stepWriter({ format, labels, answerTool }))
}

const printOptions: KnownOptions<PrintOptions> = {
  format: `"${Object.keys(writings).join('" or "')}"`,
  labels: 'an object',
  answerTool: 'a string',
}

function print(items: readonly TranscriptItem[], writer: StepWriter): string {
  let number = 0
  const lines = items.map((item) => printItem(item, writer, item.type === 'step' ? ++number : number))
  return lines.join('\n')
}

function printItem(item: TranscriptItem, writer: StepWriter, number: number): string {
  switch (item.type) {
    case 'user':
      return `User: ${item.content.map((part) => (part.type === 'text' ? part.text : '(a file)')).join('\n')}`
    case 'step':
      return writer.step(item, number)
    case 'observation':
      return writer.observation(item.text, number)
  }
}
