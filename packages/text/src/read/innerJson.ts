import { createJsonEnd } from './jsonEnd.ts'

export interface InnerJson {
  /** The object or array, once it is whole. */
  take(piece: string): string | undefined
  isInString(): boolean
}

/** Finds the first JSON object or array, if only a fence or the beginning of a call precedes it. */
export function createInnerJson(): InnerJson {
  const end = createJsonEnd()
  let before = ''
  let state: 'before' | 'within' | 'none' = 'before'
  const pieces: string[] = []
  const within = (text: string): string | undefined => {
    const place = end.find(text)
    pieces.push(text.slice(0, place))
    if (place === undefined) return undefined
    state = 'none'
    return pieces.join('')
  }
  return {
    take(text) {
      if (state === 'within') return within(text)
      if (state === 'none') return undefined
      const start = text.search(/[{[]/)
      before = (before + (start < 0 ? text : text.slice(0, start))).trimStart()
      if (before.length > 80 || (start >= 0 && !mayPrecede.test(before))) state = 'none'
      else if (start >= 0) {
        state = 'within'
        return within(text.slice(start))
      }
      return undefined
    },
    isInString: () => state === 'within' && end.inString,
  }
}

/** Nothing, a fence, backticks, what is left of a bold label, or `tool(`. */
const mayPrecede = /^(?:```\w*\s*|`{1,2}|\*{1,4}\s*|[\w.-]+\s*\(\s*)?$/
