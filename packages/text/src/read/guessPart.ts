import { findLineEnd, skipSpace, unit } from './characters.ts'
import { linePart } from './linePart.ts'
import { goTo, type Part, type Step } from './part.ts'
import { prose } from './prose.ts'

/**
 * Reads the beginning of a text of unknown format. A line after `> ` is a command; everything else begins with prose.
 */
export function guessPart(step: Step): Part {
  let text = ''
  return {
    take(token) {
      if (token.type !== 'text') return goTo(prose(step), { type: 'text', text }, token)
      text += text === '' ? token.text.slice(skipSpace(token.text, 0)) : token.text
      if (text === '' || (text.charCodeAt(0) === unit.more && text.length < longestHead && findLineEnd(text) < 0))
        return 'more'
      return goTo(partFor(step, text), { type: 'text', text })
    },
    end() {
      const part = partFor(step, text)
      part.take({ type: 'text', text })
      part.end()
    },
  }
}

/** Only the head of the first line tells, also if more has come. */
function partFor(step: Step, text: string): Part {
  const end = findLineEnd(text)
  const head = text.slice(0, Math.min(end < 0 ? text.length : end, longestHead))
  return isCommand(step, head) ? linePart(step) : prose(step)
}
/** Room for the longest label that `command` knows. */
const longestHead = 32

/** A line behind `> ` is a command, unless it is empty, quotes a step or there is no tool for commands. */
const isCommand = ({ tools }: Step, head: string): boolean => command.test(head) && (tools?.includes('act') ?? true)

const command = /^>\s{1,8}(?![*#_>{[<`\s]|(?:thought|action|observation|final answer)\b[^:]{0,9}:)\S/i
