import type { TextFormat, TextLabels } from '../format.ts'
import type { Label, LabelWord } from './label.ts'
import type { Marks } from './scanner.ts'
import { callMarks } from './tags.ts'

/** The syntax of a format for reading. */
export interface Dialect {
  readonly marks: Marks
  /** The text after `Action:`: a name and an input on separate lines, `name[input]`, or either. */
  readonly action: 'lines' | 'brackets' | 'any'
  /** The type of an input: text, unless it is an object; JSON, unless it is not; or JSON that may be absent. */
  readonly input: 'text' | 'json' | 'optional json'
  /**
   * The positions at which a JSON object may be the step, besides after `Action:`. `alone`: with nothing before it.
   * `last`: after prose too, if nothing follows it. `fenced`: as `last`, and in a fence anywhere.
   */
  readonly json: 'fenced' | 'last' | 'alone' | 'nowhere'
  /** Set if all calls of a step count, not only the first. */
  readonly several?: true
  /** The tool that runs code blocks: the last one, or all of them. */
  readonly blocks?: 'shell' | 'python' | 'either'
  /** The beginning of a text: thoughts, an action without a label, code, one line that is everything, or unknown. */
  readonly begins: 'with prose' | 'with an action' | 'with code' | 'as one line' | 'somehow'
  /**
   * The treatment of an observation that the model writes before any action. `ends` refuses the step. Recorded traces
   * need the others: `is skipped` ignores one at the start of the text, `is thought` reads one after a thought as part
   * of it.
   */
  readonly observation: 'ends' | 'is skipped' | 'is thought'
  /** The names of tools that finish, in lower case without spaces. */
  readonly finish: readonly string[]
  /** Commands that finish, for dialects whose actions are commands. */
  readonly finishCommands: readonly string[]
  /** Describes a step, for a model that wrote none. */
  readonly expects: string
}

const thought: LabelWord = { label: 'thought', word: 'Thought' }
const action: LabelWord = { label: 'action', word: 'Action' }
const input: LabelWord = { label: 'input', word: 'Action Input' }
const observation: LabelWord = { label: 'observation', word: 'Observation' }
const finalAnswer: LabelWord = { label: 'answer', word: 'Final Answer' }
const answer: LabelWord = { label: 'answer', word: 'Answer' }
const code: LabelWord = { label: 'action', word: 'Code' }

const answerTags = ['<answer>', '</answer>', '<final_answer>', '</final_answer>']

const lines: Dialect = {
  marks: {
    labels: [thought, action, input, observation, finalAnswer, answer],
    tags: [],
    thinks: true,
    opens: true,
    fences: true,
  },
  action: 'lines',
  input: 'text',
  json: 'alone',
  begins: 'with prose',
  observation: 'ends',
  finish: ['finish', 'finalanswer'],
  finishCommands: ['submit'],
  expects: 'a line "Action:" with the name of a tool and a line "Action Input:", or a line "Final Answer:"',
}

const brackets: Dialect = {
  ...lines,
  marks: { ...lines.marks, labels: [thought, action, observation, finalAnswer, answer] },
  action: 'brackets',
  json: 'nowhere',
  begins: 'with an action',
  observation: 'is thought',
  expects: 'a line "Action:" with one action and its input in brackets, such as "search[Paris]" or "finish[42]"',
}

const json: Dialect = {
  ...lines,
  action: 'any',
  input: 'json',
  json: 'fenced',
  expects: 'one JSON object such as {"action": "search", "action_input": "Paris"}',
}

const command: Dialect = {
  ...lines,
  marks: { labels: [], tags: ['<command>', '</command>'], thinks: true, opens: false, fences: false },
  json: 'nowhere',
  finish: [],
  expects: 'one command between <command> and </command>',
}

export const dialects: Readonly<Record<TextFormat | 'auto', Dialect>> = {
  'react-numbered-bracket': brackets,
  'react-plain-bracket': brackets,
  'webshop-bracket': brackets,
  'alfworld-think': {
    ...command,
    marks: { labels: [], tags: [], opens: false, fences: false },
    begins: 'as one line',
    finishCommands: ['finish'],
    expects: 'one line with a command',
  },
  mrkl: { ...lines, observation: 'is skipped' },
  'mrkl-json-input': { ...lines, input: 'optional json' },
  llamaindex: { ...lines, input: 'json' },
  'json-blob': json,
  'json-thought-command': {
    ...json,
    json: 'last',
    expects: 'one JSON object such as {"thought": "…", "command": {"name": "search", "arguments": {}}}',
  },
  'swe-thought-fence': {
    ...command,
    marks: { ...command.marks, tags: [], fences: true },
    blocks: 'shell',
    expects: 'one command in a code block at the end',
  },
  'swe-xml-command': command,
  'smolagents-code': {
    ...lines,
    marks: {
      ...lines.marks,
      labels: [thought, code, observation, finalAnswer],
      tags: ['<end_code>', '<code>', '</code>'],
      opens: false,
    },
    json: 'nowhere',
    blocks: 'python',
    begins: 'with code',
    expects: 'Python in a code block',
  },
  'xml-tool-call': {
    ...json,
    marks: {
      ...lines.marks,
      labels: [thought, observation, finalAnswer, answer],
      tags: [...callMarks, ...answerTags],
    },
    json: 'alone',
    several: true,
    expects: '<tool_call>{"name": …, "arguments": …}</tool_call>',
  },
  auto: {
    ...lines,
    marks: { ...lines.marks, tags: [...callMarks, ...answerTags, '<command>', '</command>', '<end_code>'] },
    action: 'any',
    input: 'json',
    json: 'last',
    blocks: 'either',
    begins: 'somehow',
  },
}

const labelOf: Readonly<Record<keyof TextLabels, Label>> = {
  thought: 'thought',
  action: 'action',
  actionInput: 'input',
  observation: 'observation',
  answer: 'answer',
}

/** Returns the marks with an app's own words for the labels that the dialect has. */
export function withLabels(marks: Marks, own: Partial<TextLabels>): Marks {
  const words = Object.entries(own).map(([name, word]) => ({ label: labelOf[name as keyof TextLabels], word }))
  const used = words.filter(({ label }) => marks.labels.some((known) => known.label === label))
  return used.length === 0 ? marks : { ...marks, labels: [...used, ...marks.labels] }
}
