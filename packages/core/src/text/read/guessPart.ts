import { skipSpace, unit } from './characters.ts'
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
      if (head.length < 2 && (head === '' || head.charCodeAt(0) === unit.more)) return 'more'
      const part = head.startsWith('> ') ? linePart(step) : prose(step)
      return { part, tokens: [{ type: 'text', text: head }] }
    },
    end() {
      prose(step).take({ type: 'text', text: head })
    },
  }
}
