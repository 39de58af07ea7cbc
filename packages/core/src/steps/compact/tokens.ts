import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { estimateTokenCount } from 'tokenx'
import { cached } from '../../json.ts'
import { resultText } from '../../part.ts'

export type Message = LanguageModelV4Message
export type ContentPart = Exclude<Message['content'], string>[number]
export type ResultPart = Extract<ContentPart, { type: 'tool-result' }>

/** The tokens of a message besides its content. */
const perMessage = 4
/** The tokens of an image, or of another file whose tokens only the provider knows. */
const perFile = 1_500

/** Estimates the tokens of a text, without the tokenizer of any model. A long one is judged by samples. */
export function estimateText(text: string): number {
  if (text.length <= 2 * samples * sampleLength) return estimateChunk(text)
  const step = (text.length - sampleLength) / (samples - 1)
  let sum = 0
  for (let i = 0; i < samples; i++) {
    const start = Math.floor(i * step)
    sum += estimateChunk(text.slice(start, start + sampleLength))
  }
  return Math.ceil((sum * text.length) / (samples * sampleLength))
}

const samples = 8
const sampleLength = 1_000

const estimateChunk = (text: string): number => estimateTokenCount(text, isAscii.test(text) ? asciiRules : scriptRules)

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const isAscii = /^[\x00-\x7f]*$/

/** Random-looking text, such as hashes and ids, has no words that a model knows. */
const random = { pattern: /^(?=\D*\d)[A-Za-z0-9]{16,}$/, averageCharsPerToken: 2.5 }
const asciiRules = { languageConfigs: [random] }

/**
 * The characters per token by script, as the vocabularies of current models have them (o200k), with a margin: a prompt
 * that is longer than the window is refused. Without these, tokenx takes other scripts than Chinese, Japanese and Korean
 * for English.
 */
const scriptRules = {
  languageConfigs: [
    random,
    { pattern: /[\u1ea0-\u1ef9\u01a0-\u01b0\u0111]/i, averageCharsPerToken: 2 },
    { pattern: /[ąćęłńśźżěščřžůďťňőűşğı]/i, averageCharsPerToken: 1.8 },
    { pattern: /[äöüßẞ]/i, averageCharsPerToken: 2.6 },
    { pattern: /[à-ÿœ]/i, averageCharsPerToken: 3 },
    { pattern: /\p{Script=Cyrillic}/u, averageCharsPerToken: 3.8 },
    { pattern: /\p{Script=Arabic}/u, averageCharsPerToken: 3.6 },
    { pattern: /\p{Script=Devanagari}/u, averageCharsPerToken: 3.4 },
    { pattern: /[\u0980-\u0d7f]/, averageCharsPerToken: 2.8 },
    { pattern: /[\u0370-\u03ff\u10a0-\u10ff\u0530-\u058f]/, averageCharsPerToken: 2.3 },
    { pattern: /\p{Script=Hebrew}/u, averageCharsPerToken: 2.5 },
    { pattern: /\p{Script=Thai}/u, averageCharsPerToken: 2.1 },
    { pattern: /\p{Script=Myanmar}/u, averageCharsPerToken: 1.6 },
    { pattern: /[\p{Script=Khmer}\p{Script=Sinhala}]/u, averageCharsPerToken: 1.3 },
    { pattern: /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u, averageCharsPerToken: 0.6 },
    // Any other script is known to models by its bytes.
    {
      pattern:
        /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}])\p{L}/u,
      averageCharsPerToken: 0.42,
    },
  ],
}

/** Marks a turn whose provider did not report all tokens, so that some are estimated. */
export const estimatedUsage = { interleave: { estimatedUsage: true } } as const

const ofMessages = new WeakMap<Message, number>()

/** Estimates the tokens of these messages. Each message is counted once. */
export function estimateMessages(messages: readonly Message[]): number {
  let sum = 0
  for (const message of messages) sum += cached(ofMessages, message, () => estimateMessage(message))
  return sum
}

function estimateMessage({ content }: Message): number {
  if (typeof content === 'string') return perMessage + estimateText(content)
  let sum = perMessage
  for (const part of content) sum += estimatePart(part)
  return sum
}

function estimatePart(part: ContentPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateText(part.text)
    case 'file':
    case 'reasoning-file':
      return estimateFile(part)
    case 'tool-call':
      return estimateText(part.toolName) + estimateText(JSON.stringify(part.input) ?? '')
    case 'tool-result':
      return estimateText(part.toolName) + estimateOutput(part.output)
    // Includes types of the AI SDK and of later versions.
    default:
      return perMessage
  }
}

function estimateOutput(output: ResultPart['output']): number {
  if (output.type !== 'content') return estimateText(resultText(output))
  let sum = 0
  for (const part of output.value) sum += part.type === 'text' ? estimateText(part.text) : estimateFile(part)
  return sum
}

/** Estimates the tokens of a file. Text counts as text; any other content counts as one file. */
function estimateFile(part: object): number {
  const { mediaType = '', data } = part as {
    mediaType?: string
    data?: { type?: string; text?: string; data?: unknown }
  }
  if (data?.type === 'text') return estimateText(data.text ?? '')
  if (!mediaType.startsWith('text/') || data?.type !== 'data') return perFile
  const { length = 0 } = data.data as ArrayLike<unknown>
  return Math.ceil(length / 4)
}
