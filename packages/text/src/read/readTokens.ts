import { barePart } from './barePart.ts'
import { codeLinesPart } from './codeLinesPart.ts'
import type { Dialect } from './dialect.ts'
import { guessPart } from './guessPart.ts'
import { linePart } from './linePart.ts'
import type { Change, Part, Step } from './part.ts'
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
    if (result === 'done') {
      close()
      return
    }
    change(result)
  }

  const change = ({ part, tokens }: Change): void => {
    current = part ?? prose(step)
    for (const next of tokens) take(next)
  }

  const close = (): void => {
    const isUsable = out.hasResult || out.hasComplaint || step.isThoughtAlone
    if (!isUsable) out.complaint(`There is no step in what you wrote. Write ${dialect.expects}.`)
    out.close()
  }

  return {
    take,
    end() {
      if (out.isClosed) return
      const rest = current.last?.()
      if (rest) change(rest)
      if (out.isClosed) return
      current.end()
      close()
    },
  }
}

const firstParts: Readonly<Record<Dialect['begins'], (step: Step) => Part>> = {
  'with prose': prose,
  'with an action': barePart,
  'with code': codeLinesPart,
  'as one line': linePart,
  somehow: guessPart,
}
const firstPart = (step: Step): Part => firstParts[step.dialect.begins](step)
