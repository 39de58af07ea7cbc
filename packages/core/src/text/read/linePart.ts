import { findLineEnd, skipSpace } from './characters.ts'
import { plainName } from './give.ts'
import type { Part, PartResult, Step } from './part.ts'

/** A line that is the whole step: `> think: …`, or a command in plain words. */
export function linePart(step: Step): Part {
  const pieces: string[] = []
  let hasBegun = false
  let isThought = false

  const settle = (): 'done' => {
    const line = pieces.join('')
    if (isThought) step.isThoughtAlone = true
    else if (hasBegun) give(step, withoutPrompt(line))
    return 'done'
  }

  const takeText = (text: string): PartResult => {
    const start = hasBegun ? 0 : skipSpace(text, 0)
    const end = findLineEnd(text, start)
    const piece = text.slice(start, end < 0 ? text.length : end)
    hasBegun ||= piece !== ''
    if (isThought) step.out.thought(piece)
    else if (piece !== '') {
      pieces.push(piece)
      findThought()
    }
    return end >= 0 && hasBegun ? settle() : 'more'
  }

  /** Only the beginning of the line can tell, so it is looked at while it is short. */
  const findThought = (): void => {
    const head = pieces.slice(0, longestHead).join('')
    const thought = /^(?:>\s?)?think:/i.exec(head)
    if (!thought) return
    isThought = true
    step.out.thought(pieces.join('').slice(thought[0].length))
  }

  return {
    take: (token) => takeText(token.text),
    end() {
      settle()
    },
  }
}
const longestHead = 8

const withoutPrompt = (line: string): string => (line.startsWith('>') ? line.slice(1).trim() : line.trim())

/** `finish: 42` ends, everything else is done as it stands. */
function give({ out, dialect }: Step, command: string): void {
  const colon = command.indexOf(':')
  if (colon > 0 && dialect.finishCommands.includes(plainName(command.slice(0, colon))))
    out.finish(command.slice(colon + 1))
  else out.action({ tool: 'act', input: command })
}
