import { findLineEnd, skipSpace, unit } from './characters.ts'
import { plainName } from './give.ts'
import { isObservation } from './observations.ts'
import { ownObservation, type Part, type PartResult, refuse, type Step } from './part.ts'

/** Reads the line that is the whole step: a command in plain words. Lines such as `> think: …` may precede it. */
export function linePart(step: Step): Part {
  let pieces: string[] = []
  let state: 'before' | 'within' | 'thought' = 'before'
  let hasThought = false

  /** Only the beginning of the line can tell, so it is looked at while it is short. */
  const findThought = (): void => {
    const head = pieces.slice(0, longestHead).join('')
    const thought = /^(?:>\s?)?think:/i.exec(head)
    if (!thought) return
    state = 'thought'
    step.isThoughtAlone = true
    step.out.thought(pieces.join('').slice(thought[0].length))
  }

  const endLine = (): PartResult => {
    if (state === 'within') return give(step, withoutPrompt(pieces.join('')))
    step.out.thought('\n')
    hasThought = true
    pieces = []
    state = 'before'
    return 'more'
  }

  const takeLine = (text: string): PartResult => {
    // Behind a thought, a line without a prompt is what the environment would say.
    if (state === 'before' && hasThought && text.charCodeAt(0) !== unit.more) return 'done'
    if (state === 'thought') step.out.thought(text)
    else {
      state = 'within'
      pieces.push(text)
      findThought()
    }
    return 'more'
  }

  const takeText = (text: string): PartResult => {
    for (let from = 0; from < text.length; ) {
      const start = state === 'before' ? skipSpace(text, from) : from
      const end = findLineEnd(text, start)
      const line = text.slice(start, end < 0 ? text.length : end)
      if (line !== '' && takeLine(line) === 'done') return 'done'
      if (end < 0) break
      if (endLine() === 'done') return 'done'
      from = end + 1
    }
    return 'more'
  }

  return {
    take: (token) => takeText(token.text),
    end() {
      if (state === 'within') give(step, withoutPrompt(pieces.join('')))
    },
  }
}
const longestHead = 8

const withoutPrompt = (line: string): string => (line.startsWith('>') ? line.slice(1).trim() : line.trim())

/** Emits the step: `finish: 42` ends, everything else is a command. */
function give(step: Step, command: string): 'done' {
  const { out, dialect } = step
  if (isObservation(command)) return refuse(step, ownObservation)
  const colon = command.indexOf(':')
  if (colon > 0 && dialect.finishCommands.includes(plainName(command.slice(0, colon))))
    out.finish(command.slice(colon + 1))
  else out.action({ tool: 'act', input: command })
  return 'done'
}
