import { findLineEnd, isBlank } from './characters.ts'
import type { Part, PartResult, Step } from './part.ts'
import type { Token } from './token.ts'

/**
 * Reads the final answer: everything that follows, since an answer may contain anything. It ends only if the model
 * continues with an observation, or with an action that has an input, and with the fence around the whole step.
 */
export function answerPart({ out, isFenced }: Step): Part {
  let isInCode = false
  let tail: Tail | undefined

  const take = (token: Token): PartResult => {
    if (tail) {
      const result = tail.take(token)
      if (result !== 'released') return result
      out.finish(tail.text())
      tail = undefined
    }
    if (token.type === 'fence') {
      if (isFenced && !isInCode && token.beginsLine) return begin(fenceTail(token.text))
      isInCode = !isInCode
    } else if (token.type === 'label' && !isInCode) {
      if (token.label === 'observation') return 'done'
      if (token.label === 'action') return begin(actionTail(token.text))
    }
    out.finish(token.text)
    return 'more'
  }

  const begin = (next: Tail): 'more' => {
    tail = next
    return 'more'
  }

  out.finish('')
  return {
    take,
    end() {
      if (tail?.isText) out.finish(tail.text())
    },
  }
}

/** Text that may not belong to the answer. It is held back until that is clear. */
interface Tail {
  take(token: Token): 'more' | 'done' | 'released'
  text(): string
  /** True if it belongs to the answer when nothing follows. */
  readonly isText: boolean
}

/** The fence that closes a fenced step, or one that opens code within the answer. */
function fenceTail(fence: string): Tail {
  const held = [fence]
  return {
    take(token) {
      if (token.type !== 'text') return 'done'
      if (!isBlank(token.text)) return 'released'
      held.push(token.text)
      return 'more'
    },
    text: () => held.join(''),
    isText: false,
  }
}

/** `Action: search` is a step only if `Action Input:` follows; otherwise the answer speaks of an action. */
function actionTail(label: string): Tail {
  const held = [label]
  let length = 0
  let isNamed = false
  return {
    take(token) {
      if (token.type === 'label' && token.label === 'input') return 'done'
      const line = isNamed ? 0 : findLineEnd(token.text)
      length += token.text.length
      if (token.type !== 'text' || length > 200 || (line >= 0 && !isBlank(token.text.slice(line)))) return 'released'
      isNamed ||= line >= 0
      held.push(token.text)
      return 'more'
    },
    text: () => held.join(''),
    isText: true,
  }
}
