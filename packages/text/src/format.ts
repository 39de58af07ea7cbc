/**
 * The ways in which models write a step as plain text. Each is one that a published prompt teaches:
 * - `react-numbered-bracket`: `Thought 1: …`, `Action 1: Search[Paris]` (ReAct, Yao et al. 2022)
 * - `react-plain-bracket`: `Thought: …`, `Action: search[Paris]`
 * - `webshop-bracket`: `think[…]`, `search[red shoes]`, `click[Buy Now]`
 * - `alfworld-think`: `think: …` or a command in plain words, `go to desk 1`
 * - `mrkl`: `Thought:`, `Action: search`, `Action Input: Paris`, `Final Answer:` (the input is text)
 * - `mrkl-json-input`: the same, where the input is JSON
 * - `llamaindex`: the same, where the end is `Answer:`
 * - `json-blob`: `Action:` and a fenced `{"action": …, "action_input": …}`
 * - `json-thought-command`: one JSON object with `thoughts` and a `command` of `name` and `args`
 * - `swe-thought-fence`: a discussion, then one fenced shell command
 * - `swe-xml-command`: a discussion, then `<command>…</command>`
 * - `smolagents-code`: `Thought:`, then a block of Python code that ends in `<end_code>` or a fence
 * - `xml-tool-call`: `<tool_call>{"name": …, "arguments": …}</tool_call>` or `<function=name>…</function>`
 */
export type TextFormat =
  | 'react-numbered-bracket'
  | 'react-plain-bracket'
  | 'webshop-bracket'
  | 'alfworld-think'
  | 'mrkl'
  | 'mrkl-json-input'
  | 'llamaindex'
  | 'json-blob'
  | 'json-thought-command'
  | 'swe-thought-fence'
  | 'swe-xml-command'
  | 'smolagents-code'
  | 'xml-tool-call'

/** The words before the parts of a step, without their colons. A model may need those of another language. */
export interface TextLabels {
  readonly thought: string
  readonly action: string
  readonly actionInput: string
  readonly observation: string
  /** The word before the final answer; in bracket formats the name of the action that gives it. */
  readonly answer: string
}

export const defaultLabels: TextLabels = {
  thought: 'Thought',
  action: 'Action',
  actionInput: 'Action Input',
  observation: 'Observation',
  answer: 'Final Answer',
}

/** One step of a model, to be written as text. */
export interface WrittenStep {
  readonly thought?: string
  readonly action?: { readonly tool: string; readonly input: string }
  readonly answer?: string
  /** The number of the step, from 1. */
  readonly number: number
}

/** The number of a step, and the words before its parts. */
interface StepWords {
  readonly number: number
  readonly labels: TextLabels
}

/** The writing of a format: its steps, its observations, and the text at which its model stops. */
export interface FormatWriting {
  readonly labels: TextLabels
  /** `json` if inputs are always JSON, `text` for plain text in tools with one plain field. */
  readonly input: 'json' | 'text'
  /** Set if its actions are commands for one tool, whose name is not written. */
  readonly oneTool?: true
  /** Set if the work ends with a command that contains nothing else. */
  readonly bareEnd?: true
  /** Set if a thought is a step of its own. */
  readonly thinksApart?: true
  /** Set if text without any mark of the format is an answer. */
  readonly plainAnswer?: true
  step(step: WrittenStep, labels: TextLabels): string
  observation(text: string, step: StepWords): string
  /** Returns the text right after a complete step, as a stop sequence. */
  stop(step: StepWords): readonly string[]
}

/** Joins the parts that are present, one per line. */
const lines = (...parts: readonly (string | undefined | false)[]): string =>
  parts.filter((part) => part !== undefined && part !== false).join('\n')

const labelled = (label: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${label}: ${text}`

const plain: Pick<FormatWriting, 'observation' | 'stop'> = {
  observation: (text, { labels }) => `${labels.observation}: ${text}`,
  stop: ({ labels }) => [`\n${labels.observation}:`],
}

/** Writes `Thought:`, `Action:`, `Action Input:` on lines of their own. */
const labelledLines: FormatWriting = {
  ...plain,
  labels: defaultLabels,
  input: 'json',
  step: ({ thought, action, answer }, labels) =>
    lines(
      labelled(labels.thought, thought),
      labelled(labels.action, action?.tool),
      labelled(labels.actionInput, action?.input),
      labelled(labels.answer, answer),
    ),
}

const inBrackets = ({ action, answer }: WrittenStep, labels: TextLabels): string | undefined => {
  if (action) return `${action.tool}[${action.input}]`
  return answer === undefined ? undefined : `${labels.answer}[${answer}]`
}

const brackets: FormatWriting = {
  ...plain,
  labels: { ...defaultLabels, answer: 'Finish' },
  input: 'text',
  step: (step, labels) =>
    lines(labelled(labels.thought, step.thought), labelled(labels.action, inBrackets(step, labels))),
}

const numberedBrackets: FormatWriting = {
  ...brackets,
  step: (step, labels) =>
    lines(
      labelled(`${labels.thought} ${step.number}`, step.thought),
      labelled(`${labels.action} ${step.number}`, inBrackets(step, labels)),
    ),
  observation: (text, { number, labels }) => `${labels.observation} ${number}: ${text}`,
  stop: ({ number, labels }) => [`\n${labels.observation} ${number}:`],
}

/** Writes `{"action": …, "action_input": …}` in a fence. The final answer is an action too. */
const jsonBlob: FormatWriting = {
  ...plain,
  labels: defaultLabels,
  input: 'json',
  step({ thought, action, answer }, labels) {
    const [tool, input] = action ? [action.tool, action.input] : [labels.answer, json(answer)]
    const blob = `{"action": ${json(tool)}, "action_input": ${input}}`
    return lines(labelled(labels.thought, thought), (action || answer !== undefined) && fenced(labels, blob))
  },
}
const fenced = ({ action }: TextLabels, blob: string): string => lines(`${action}:`, '```json', blob, '```')
const json = (text: string | undefined): string => JSON.stringify(text ?? '')

/** Writes one object with the thought and the command. */
const jsonObject: FormatWriting = {
  ...plain,
  labels: { ...defaultLabels, answer: 'finish' },
  input: 'json',
  step({ thought, action, answer }, labels) {
    const [name, input] = action ? [action.tool, action.input] : [labels.answer, `{"answer": ${json(answer)}}`]
    const command = `, "command": {"name": ${json(name)}, "arguments": ${input}}`
    return `{"thought": ${json(thought)}${action || answer !== undefined ? command : ''}}`
  },
}

/** Writes a discussion and one command for a shell; a special command ends the work. */
const command = (open: string, close: string): FormatWriting => ({
  labels: { ...defaultLabels, answer: 'submit' },
  input: 'text',
  oneTool: true,
  bareEnd: true,
  step({ thought, action, answer }, labels) {
    const written = action?.input ?? (answer === undefined ? undefined : labels.answer)
    return lines(thought, written !== undefined && lines(open, written, close))
  },
  observation: (text) => text,
  stop: () => [],
})

/** Writes a thought and a block of Python, whose `final_answer(…)` ends the work. */
const code: FormatWriting = {
  ...plain,
  labels: { ...defaultLabels, answer: 'final_answer' },
  input: 'text',
  oneTool: true,
  step({ thought, action, answer }, labels) {
    const written = action?.input ?? (answer === undefined ? undefined : `${labels.answer}(${json(answer)})`)
    const block = written !== undefined && lines('Code:', '```py', written, '```<end_code>')
    return lines(labelled(labels.thought, thought), block)
  },
  stop: ({ labels }) => [`\n${labels.observation}:`, '<end_code>'],
}

const toolCallTags: FormatWriting = {
  labels: defaultLabels,
  input: 'json',
  plainAnswer: true,
  step({ thought, action, answer }) {
    // An end tag within a text would end the call.
    const call = action && `{"name": ${json(action.tool)}, "arguments": ${action.input.replaceAll('</', '<\\/')}}`
    return lines(thought, call && lines('<tool_call>', call, '</tool_call>'), answer)
  },
  observation: (text) => lines('<tool_response>', text, '</tool_response>'),
  stop: () => ['<tool_response>'],
}

/** Writes `think[…]` as an action like the others. */
const webshop: FormatWriting = {
  ...brackets,
  thinksApart: true,
  step: (step, labels) =>
    lines(
      labelled(labels.action, step.thought === undefined ? undefined : `think[${step.thought}]`),
      labelled(labels.action, inBrackets(step, labels)),
    ),
}

/** Writes one line: `> think: …`, or a command in plain words. */
const plainCommands: FormatWriting = {
  labels: { ...defaultLabels, answer: 'finish' },
  input: 'text',
  oneTool: true,
  thinksApart: true,
  step: ({ thought, action, answer }, labels) =>
    lines(
      thought === undefined ? undefined : `> think: ${thought}`,
      action ? `> ${action.input}` : undefined,
      answer === undefined ? undefined : `> ${labels.answer}: ${answer}`,
    ),
  observation: (text) => text,
  stop: () => ['\n>'],
}

export const writings: Readonly<Record<TextFormat, FormatWriting>> = {
  'mrkl-json-input': labelledLines,
  mrkl: { ...labelledLines, input: 'text' },
  llamaindex: { ...labelledLines, labels: { ...defaultLabels, answer: 'Answer' } },
  'react-plain-bracket': brackets,
  'react-numbered-bracket': numberedBrackets,
  'webshop-bracket': webshop,
  'alfworld-think': plainCommands,
  'json-blob': jsonBlob,
  'json-thought-command': jsonObject,
  'swe-thought-fence': command('```', '```'),
  'swe-xml-command': command('<command>', '</command>'),
  'smolagents-code': code,
  'xml-tool-call': toolCallTags,
}
