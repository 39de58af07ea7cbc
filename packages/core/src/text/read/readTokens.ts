import { barePart } from './barePart.ts'
import type { Dialect } from './dialect.ts'
import { guessPart } from './guessPart.ts'
import { linePart } from './linePart.ts'
import type { Part, Step } from './part.ts'
import { prose } from './prose.ts'
import type { Token } from './token.ts'

/** Gives each token to the part that is being read. */
export interface TokenReader {
  take(token: Token): void
  end(): void
}

export function readTokens(step: Step): TokenReader {
  const { out, dialect } = step
  let current = firstPart(step)

  const take = (token: Token): void => {
    if (out.isClosed) return
    const result = current.take(token)
    if (result === 'more') return
    if (result === 'done') out.close()
    current = typeof result === 'object' ? result.part : prose(step)
    const rest = typeof result === 'object' ? result.tokens : result === 'again' ? [token] : []
    for (const next of rest) take(next)
  }

  return {
    take,
    end() {
      if (out.isClosed) return
      current.end()
      if (!out.hasResult && !out.hasComplaint && !step.isThoughtAlone) {
        out.complaint(`There is no step in what you wrote. Write ${dialect.expects}.`)
      }
      out.close()
    },
  }
}

const firstParts: Readonly<Record<Dialect['begins'], (step: Step) => Part>> = {
  'with prose': prose,
  'with an action': barePart,
  'as one line': linePart,
  somehow: guessPart,
}
const firstPart = (step: Step): Part => firstParts[step.dialect.begins](step)
