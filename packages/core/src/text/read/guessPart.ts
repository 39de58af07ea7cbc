import { findLineEnd, skipSpace, unit } from './characters.ts'
import { linePart } from './linePart.ts'
import { goTo, type Part, type Step } from './part.ts'
import { prose } from './prose.ts'

/** The beginning of a text of which nobody knows the format. A line behind `> ` is a command; all else begins with prose. */
export function guessPart(step: Step): Part {
  let head = ''
  return {
    take(token) {
      if (token.type !== 'text') return goTo(prose(step), { type: 'text', text: head }, token)
      head += head === '' ? token.text.slice(skipSpace(token.text, 0)) : token.text
      if (head === '' || (head.charCodeAt(0) === unit.more && head.length < longestHead && findLineEnd(head) < 0))
        return 'more'
      const part = isCommand(step, head) ? linePart(step) : prose(step)
      return { part, tokens: [{ type: 'text', text: head }] }
    },
    end() {
      const part = isCommand(step, head) ? linePart(step) : prose(step)
      part.take({ type: 'text', text: head })
      part.end()
    },
  }
}
const longestHead = 24

/** A line behind `> ` is a command, unless it quotes a step or there is no tool for commands. */
const isCommand = ({ tools }: Step, head: string): boolean =>
  head.startsWith('>') && !quoted.test(head) && (tools?.includes('act') ?? true)

const quoted = /^>(?:\S|\s*(?:[*#_>{[<`]|(?:thought|action|observation|final answer)\b[^:]{0,9}:))/i
