import { findLineEnd, unit } from './characters.ts'

export interface BracketCall {
  readonly tool: string
  readonly input: string
}

/** Reads `search[Paris]`. The input ends at the last bracket, which must end the text: an input may hold other actions. */
export function readBracket(text: string): BracketCall | undefined {
  const action = unmarked(text.trim())
  const open = action.indexOf('[')
  const tool = action.slice(0, Math.max(open, 0)).trim()
  if (tool === '' || /[\n\r]/.test(tool) || !action.endsWith(']')) return undefined
  return { tool, input: action.slice(open + 1, -1).trim() }
}

/** Follows the brackets of a text that grows. */
export interface BracketDepth {
  read(text: string): void
  /** The index behind the line in which the first bracket was closed. Undefined if it is open, or if no other line follows. */
  readonly end: number | undefined
  readonly isClosed: boolean
}

export function createBracketDepth(): BracketDepth {
  let depth = 0
  let length = 0
  let isClosed = false
  let end: number | undefined
  const findClosing = (text: string): number => {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === unit.openBracket) depth++
      else if (code === unit.closeBracket && depth > 0 && --depth === 0) {
        isClosed = true
        return i + 1
      }
    }
    return text.length
  }
  return {
    read(text) {
      const from = isClosed ? 0 : findClosing(text)
      const line = isClosed && end === undefined ? findLineEnd(text, from) : -1
      if (line >= 0) end = length + line
      length += text.length
    },
    get end() {
      return end
    },
    get isClosed() {
      return isClosed
    },
  }
}

/** Returns the action without the marks that make all of it bold or code, and without a full stop. */
function unmarked(action: string): string {
  const inner = /^(\*\*|`)([^`*].*)\1$/s.exec(action)?.[2]
  return inner ?? (action.endsWith('].') ? action.slice(0, -1) : action)
}
