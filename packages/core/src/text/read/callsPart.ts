import { isBlank } from './characters.ts'
import { giveCall } from './give.ts'
import { type Part, type PartResult, refuse, type Step } from './part.ts'
import { readTagCalls } from './readTagCalls.ts'
import type { Token } from './token.ts'

/** Calls between tags. There may be several, one right behind the other. */
export function callsPart(step: Step, tag: string): Part {
  let open: string | undefined = tag
  let pieces: string[] = []

  /** The tags of a function may stand within those of a call. */
  const settle = (): boolean => {
    const calls = readTagCalls(open ?? '', pieces.join(''))
    for (const call of calls) giveCall(step, call)
    open = undefined
    pieces = []
    return calls.length > 0
  }

  const takeBetween = (token: Token): PartResult => {
    if (token.type === 'tag' && openers.has(token.text)) open = token.text
    else if (token.type === 'tag' ? !closers.has(token.text) : !isBlank(token.text)) return 'done'
    return 'more'
  }

  return {
    take(token) {
      if (open === undefined) return takeBetween(token)
      if (token.type === 'tag' && token.text === openers.get(open)) {
        return settle() ? 'more' : refuse(step, unusable)
      }
      pieces.push(token.text)
      return 'more'
    },
    end() {
      // The closing tag is often the word at which the model was stopped.
      if (open !== undefined && !settle()) refuse(step, unusable)
    },
  }
}

const unusable = 'The call cannot be read. Write <tool_call>{"name": …, "arguments": …}</tool_call> with JSON in it.'

const openers: ReadonlyMap<string, string> = new Map([
  ['<tool_call>', '</tool_call>'],
  ['<function_call>', '</function_call>'],
  ['<function=', '</function>'],
  ['<invoke name=', '</invoke>'],
])
const closers = new Set(openers.values())
