import { findLineEnd, skipSpace } from './characters.ts'
import { giveCommand } from './give.ts'
import { goTo, type Part, type PartResult, type Step } from './part.ts'
import { prose } from './prose.ts'
import type { Token } from './token.ts'

/**
 * The beginning of a text that may be Python without a fence: its first line must be a statement, which prose never is. Marks
 * of the dialect make it prose after all.
 */
export function codeLinesPart(step: Step): Part {
  const held: Token[] = []
  let line = ''
  let isCode: boolean | undefined

  const goOn = (token: Token): PartResult => goTo(prose(step), ...held, token)

  const takeText = (token: Token): PartResult => {
    const start = line === '' ? skipSpace(token.text, 0) : 0
    const end = findLineEnd(token.text, start)
    line += token.text.slice(start, end < 0 ? token.text.length : end)
    if (end >= 0) isCode = isStatement(line)
    if (isCode === false || !mayBeStatement(line)) return goOn(token)
    held.push(token)
    return 'more'
  }

  return {
    take(token) {
      if (token.type !== 'text') return goOn(token)
      if (!isCode) return takeText(token)
      held.push(token)
      return 'more'
    },
    end() {
      const input = held
        .map(({ text }) => text)
        .join('')
        .trim()
      if (isCode ?? isStatement(line)) giveCommand(step, { tool: 'python', input })
      else prose(step).take({ type: 'text', text: input })
    },
  }
}

/** A line tells early that it is prose, so that thoughts stream. */
const mayBeStatement = (line: string): boolean =>
  line.length < 500 && /^(?:$|(?:import|from) |[a-z_]\w*(?: ?$| =|\())/.test(line)

const isStatement = (line: string): boolean =>
  /^(?:import [\w.]+(?: as \w+)?(?:, [\w. ]+)*|from [\w.]+ import .+|[a-z_]\w* = \S(?:.*[^\s.!?])?|[a-z_]\w*\(.*\))\s*$/.test(
    line,
  )
