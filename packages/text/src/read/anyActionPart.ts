import { bracketPart } from './bracketPart.ts'
import { findLineEnd, skipSpace } from './characters.ts'
import { fencePart } from './fencePart.ts'
import { jsonPart } from './jsonPart.ts'
import { linesPart } from './linesPart.ts'
import { goTo, type Part, type PartResult, type Step } from './part.ts'
import type { Token } from './token.ts'

/** Reads the text after `Action:` in an unknown format: the first line decides. */
export function anyActionPart(step: Step): Part {
  const held: Token[] = []
  let line = ''

  const handOver = (part: Part, token?: Token): PartResult => (token ? goTo(part, ...held, token) : goTo(part, ...held))

  const takeText = (token: Token): PartResult => {
    const start = line === '' ? skipSpace(token.text, 0) : 0
    const end = findLineEnd(token.text, start)
    line += token.text.slice(start, end < 0 ? token.text.length : end)
    // The beginning is enough to tell.
    if (end >= 0 || line.length > 200) return handOver(partFor(step, line), token)
    if (line !== '') held.push(token)
    return 'more'
  }

  return {
    take(token) {
      if (token.type === 'text') return takeText(token)
      if (token.type === 'label' || line !== '') return handOver(partFor(step, line), token)
      if (token.type === 'open') return goTo(jsonPart(step, { counts: 'marked' }), token)
      if (token.type === 'fence') return goTo(fencePart(step, { fence: token, json: 'marked' }))
      line += token.text
      held.push(token)
      return 'more'
    },
    end() {
      const part = partFor(step, line)
      for (const token of held) part.take(token)
      part.end()
    },
  }
}

const partFor = (step: Step, line: string): Part => (/^\s*[\w-]+\s*\[/.test(line) ? bracketPart(step) : linesPart(step))
