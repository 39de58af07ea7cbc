import { isLineEnd, isSpace } from './characters.ts'

/** Follows what a model thinks, to find an observation that it writes itself, however it writes the label. */
export interface Observations {
  /** Returns the end of the label in this text, if there is one. */
  read(text: string): number | undefined
  /** Marks the beginning of a line. */
  beginLine(): void
}

/**
 * The scanner knows the labels of a step as its format has them. An observation of the model's own is none of these: to find
 * one that is bold, a heading, an item of a list, in small letters or a tag costs a step at most, to miss it may run a call.
 */
export function createObservations(words: readonly string[]): Observations {
  const label = labelOf(words)
  let head = ''

  const beginLine = (): void => {
    head = ''
  }

  return {
    beginLine,
    read(text) {
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i)
        const isEnd = isLineEnd(code)
        if (!isEnd && (head.length > longestHead || (head === '' && isSpace(code)))) continue
        head += text.charAt(i)
        if ((isEnd || ends.includes(text.charAt(i))) && label.test(head)) return i + 1
        if (isEnd) beginLine()
      }
      return undefined
    },
  }
}

/** Returns true if a line begins with the label of an observation. */
export const isObservation = (line: string): boolean => anyLabel.test(line.slice(0, longestHead))

/** Of a line, this much is looked at. */
const longestHead = 80
const ends = [':', '：', '>']

/** Up to the colon, up to the end of a line that holds nothing else, or a tag. */
const labelOf = (words: readonly string[]): RegExp =>
  new RegExp(
    `^(?:[-+•*#_\\d.) \\t]{0,16}(?:${words.map(quote).join('|')})[ \\t]{0,8}#?\\d{0,6}[*_ \\t]{0,8}(?:[:：]|[\\r\\n])|<\\|?(?:(?:tool_|function_)?(?:results?|responses?|outputs?)|observation)\\b[^<>]{0,40}>)`,
    'i',
  )

const quote = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const anyLabel = labelOf(['Observation'])
