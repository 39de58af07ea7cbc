import { assertOption, type KnownOptions, refuseUnknown } from '@interleave/core/internal'
import type { TextFormat, TextLabels } from './format.ts'
import { type FormatWriting, writings } from './format.ts'
import type { TextPrompt } from './textPrompt.ts'

export interface TextModeOptions {
  /** The format of the model's steps; `mrkl-json-input` by default. */
  format?: TextFormat
  /** Other words before the parts of a step. */
  labels?: Partial<TextLabels>
  /** Replacements for parts of the prompt. */
  prompt?: Partial<TextPrompt>
  /** The tool whose input is the final answer, if it is among the tools of a call; `final_answer` by default. */
  answerTool?: string
  /**
   * The meaning of a text without any mark of the format. By default it is `malformed` and sent back: most such texts
   * announce a step that never comes. In `xml-tool-call`, whose answers have no mark, it is the `answer`.
   */
  unlabelled?: 'answer' | 'malformed'
  /** The number of consecutive malformed steps that end the turn with the error `model_malformed`; 3 by default. */
  malformed?: number
}

export type TextModeSettings = Readonly<Required<TextModeOptions>>

const textModeOptions: KnownOptions<TextModeOptions> = {
  format: `"${Object.keys(writings).join('" or "')}"`,
  labels: true,
  prompt: true,
  answerTool: 'a string',
  unlabelled: '"answer" or "malformed"',
  malformed: 'a number (0 or more)',
}

const knownLabels: KnownOptions<TextLabels> = {
  thought: 'a string',
  action: 'a string',
  actionInput: 'a string',
  observation: 'a string',
  answer: 'a string',
}

const part = 'a string or a function'
const knownParts: KnownOptions<TextPrompt> = { intro: part, tools: part, format: part, rules: part, examples: part }

/** Validates the options and applies the defaults. */
export function toSettings(options: TextModeOptions): TextModeSettings {
  refuseUnknown('textMode()', options, textModeOptions)
  const {
    format = 'mrkl-json-input',
    labels = {},
    prompt = {},
    answerTool = 'final_answer',
    unlabelled,
    malformed = 3,
  } = options
  refuseUnknown('`labels` of textMode()', labels, knownLabels)
  refuseUnknown('`prompt` of textMode()', prompt, knownParts)
  const writing: FormatWriting = writings[format]
  assertOption(malformed >= 1, `textMode({ malformed: ${malformed} }): use 1 or more.`)
  const plain = unlabelled ?? (writing.plainAnswer ? 'answer' : 'malformed')
  const words = withoutColons(labels)
  checkDifferent({ ...writing.labels, ...words }, words)
  return { format, labels: words, prompt, answerTool, unlabelled: plain, malformed }
}

/** Throws if a part begins with the same word as another one: no reader could tell them apart. */
function checkDifferent(all: TextLabels, own: Partial<TextLabels>): void {
  for (const [name, word] of Object.entries(own)) {
    const same = Object.entries(all).find(
      ([other, taken]) => other !== name && taken.toLowerCase() === word.toLowerCase(),
    )
    assertOption(!same, `textMode({ labels }): \`${name}\` and \`${same?.[0]}\` are both "${word}". Use two words.`)
  }
}

/** Removes the colon of labels such as `Thought: `. */
function withoutColons(labels: Partial<TextLabels>): Partial<TextLabels> {
  const entries = Object.entries(labels).map(([name, label]) => {
    const word = label.trim().replace(/:$/, '').trim()
    assertOption(word !== '', `textMode({ labels: { ${name}: "${label}" } }): use a word.`)
    return [name, word] as const
  })
  return Object.fromEntries(entries)
}
