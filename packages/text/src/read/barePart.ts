import { bracketPart } from './bracketPart.ts'
import { skipSpace } from './characters.ts'
import { goTo, type Part, type Step } from './part.ts'
import { prose } from './prose.ts'

/** The beginning of a text that may be an action without the label: `search[red shoes]`. */
export function barePart(step: Step): Part {
  let head = ''
  return {
    take(token) {
      if (token.type !== 'text') return goTo(prose(step), { type: 'text', text: head }, token)
      head += head === '' ? token.text.slice(skipSpace(token.text, 0)) : token.text
      const first = head.search(/[^\w-]/)
      if (first < 0 && head.length < 50) return 'more'
      const part = first > 0 && head.charAt(first) === '[' ? bracketPart(step, { isBare: true }) : prose(step)
      return { part, tokens: [{ type: 'text', text: head }] }
    },
    end() {
      prose(step).take({ type: 'text', text: head })
    },
  }
}
