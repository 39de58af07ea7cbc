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

/** The words before the parts of a step, without their colons. A model may do better with words of its best language. */
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
