import { findLineEnd, isBlank } from './characters.ts'
import type { Token } from './scanner.ts'
import { isLabel, type Part, type Reading, type Step } from './step.ts'

/**
 * Reads the final answer: the rest of the text, since an answer may hold anything. It ends only where the model continues with an
 * observation, or to an action that has an input, and with the fence around the whole step.
 */
export function* answer(step: Step): Part {
  const { out, isFenced } = step
  let isInCode = false
  out.finish('')
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    if (!isInCode && isLabel(token, 'observation')) return 'done'
    const isTail = !isInCode && (token.type === 'fence' ? isFenced && token.beginsLine : isLabel(token, 'action'))
    if (isTail) {
      const isOver = token.type === 'fence' ? closes(step, token.text) : actionFollows(step, token.text)
      if (yield* isOver) return 'done'
      continue
    }
    if (token.type === 'fence') isInCode = !isInCode
    out.finish(token.text)
  }
  return 'done'
}

/** Returns whether a fence closes the fenced step. Otherwise it opens code within the answer. */
function* closes(step: Step, fence: string): Reading<boolean> {
  let held = fence
  for (;;) {
    const token = yield* step.next()
    if (token?.type !== 'text') return true
    if (!isBlank(token.text)) {
      step.out.finish(held)
      step.unread(token)
      return false
    }
    held += token.text
  }
}

/** Returns whether `Action: search` is a step: `Action Input:` follows. Otherwise the answer speaks of an action. */
function* actionFollows(step: Step, label: string): Reading<boolean> {
  let held = ''
  let isNamed = false
  for (;;) {
    const token: Token | undefined = yield* step.next()
    if (token && isLabel(token, 'input')) return true
    held += token?.text ?? ''
    const line: number = isNamed || token?.type !== 'text' ? 0 : findLineEnd(token.text)
    const isSpoken = token?.type !== 'text' || held.length > 200 || (line >= 0 && !isBlank(token.text.slice(line)))
    if (isSpoken) {
      step.out.finish(label + held.slice(0, held.length - (token?.text.length ?? 0)))
      step.unread(token)
      return false
    }
    isNamed ||= line >= 0
  }
}
