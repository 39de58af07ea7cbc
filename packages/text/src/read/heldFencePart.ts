import { findLineEnd, isBlank } from './characters.ts'
import { type Change, goBack, type Part, type PartResult, type Step, think } from './part.ts'
import { createQuotes } from './quotes.ts'
import type { Token } from './token.ts'

interface HeldFence {
  /** The fence and its line. */
  readonly opening: string
  /** Reads what the fence holds as the step. */
  readonly begin: (...tokens: readonly Token[]) => Change
}

/** A code fence behind a thought: what it holds is the step if it is closed and nothing follows. Otherwise it is an example. */
export function heldFencePart(step: Step, { opening, begin }: HeldFence): Part {
  const fence = createQuotes()
  const tokens: Token[] = []
  fence.read(opening)

  const asExample = (...behind: readonly Token[]): Change => {
    think(step, opening + tokens.map(({ text }) => text).join(''))
    return goBack(...behind)
  }

  const takeBehind = (token: Token): PartResult => {
    // An invented observation shows that it was meant.
    if (token.type === 'label' && token.label === 'observation') return begin(...tokens, token)
    if (!isBlank(token.text)) return asExample(token)
    tokens.push(token)
    return 'more'
  }

  return {
    take(token) {
      if (!fence.isInFence) return takeBehind(token)
      fence.read(token.text)
      if (fence.isInFence || token.type !== 'text') {
        tokens.push(token)
        return 'more'
      }
      const line = findLineEnd(token.text)
      tokens.push({ type: 'text', text: token.text.slice(0, line) })
      return takeBehind({ type: 'text', text: token.text.slice(line) })
    },
    last() {
      fence.read('\n')
      return fence.isInFence ? asExample() : begin(...tokens)
    },
    end() {},
  }
}
