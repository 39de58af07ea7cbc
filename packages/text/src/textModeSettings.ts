import { assertOption, checkOptions, DEV } from '@interleave/core/internal'
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

/** Validates the options and applies the defaults. */
export function toSettings(options: TextModeOptions): TextModeSettings {
  checkOptions('textMode()', options, ['format', 'labels', 'prompt', 'answerTool', 'unlabelled', 'malformed'])
  const {
    format = 'mrkl-json-input',
    labels = {},
    prompt = {},
    answerTool = 'final_answer',
    unlabelled,
    malformed = 3,
  } = options
  checkOptions('`labels` of textMode()', labels, ['thought', 'action', 'actionInput', 'observation', 'answer'])
  checkOptions('`prompt` of textMode()', prompt, ['intro', 'tools', 'format', 'rules', 'examples'])
  assertOption(
    Object.hasOwn(writings, format),
    DEV && `The \`format\` of textMode() must be "${Object.keys(writings).join('" or "')}".`,
  )
  const writing: FormatWriting = writings[format]
  assertOption(malformed >= 1, DEV && `textMode({ malformed: ${malformed} }): use 1 or more.`)
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
    assertOption(
      !same,
      DEV && `textMode({ labels }): \`${name}\` and \`${same?.[0]}\` are both "${word}". Use two words.`,
    )
  }
}

/** Removes the colon of labels such as `Thought: `. */
function withoutColons(labels: Partial<TextLabels>): Partial<TextLabels> {
  const entries = Object.entries(labels).map(([name, label]) => {
    const word = label.trim().replace(/:$/, '').trim()
    assertOption(word !== '', DEV && `textMode({ labels: { ${name}: "${label}" } }): use a word.`)
    return [name, word] as const
  })
  return Object.fromEntries(entries)
}
