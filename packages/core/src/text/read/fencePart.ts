import { blocksPart, toolOf } from './blocksPart.ts'
import { findLineEnd, isBlank, skipSpace } from './characters.ts'
import { jsonPart } from './jsonPart.ts'
import { type Part, type PartResult, type Step, think } from './part.ts'
import type { Token } from './token.ts'

interface FenceOptions {
  readonly fence: Extract<Token, { type: 'fence' }>
  /** Whether JSON in it may be the step. */
  readonly mayBeJson: boolean
}

/**
 * A code fence whose content is not known yet. Models put whole steps in fences, and examples of steps too. It is a step if
 * it begins with a label and nothing was written before it, or if it carries on a step that began outside of it.
 */
export function fencePart(step: Step, { fence, mayBeJson }: FenceOptions): Part {
  let held = ''
  let hasLine = false

  const takeText = (text: string): PartResult => {
    const rest = hasLine ? text : takeInfo(text)
    if (rest === undefined) return held.length < 200 ? 'more' : giveUp()
    if (!hasLine) return { part: jsonPart(step, fence.text + held), tokens: [{ type: 'text', text: rest }] }
    const space = skipSpace(rest, 0)
    held += rest.slice(0, space)
    return isBlank(rest) ? 'more' : decide({ type: 'text', text: rest.slice(space) })
  }

  /** What stands behind the line of the fence: on the next line, or as JSON on the same. Undefined if nothing does yet. */
  const takeInfo = (text: string): string | undefined => {
    const line = findLineEnd(text)
    const brace = mayBeJson ? text.indexOf('{') : -1
    hasLine = line >= 0 && !(brace >= 0 && brace < line)
    const end = hasLine ? line + 1 : brace
    held += end < 0 ? text : text.slice(0, end)
    return end < 0 ? undefined : text.slice(end)
  }

  const giveUp = (): 'back' => {
    think(step, fence.text + held)
    return 'back'
  }

  const decide = (token: Token): PartResult => {
    if (step.isFenced && isBlank(held)) {
      step.isFenced = false
      return 'again'
    }
    if (token.type === 'open' && mayBeJson) return { part: jsonPart(step, fence.text + held), tokens: [token] }
    if (isOfStep(step, token)) {
      step.isFenced = true
      return 'again'
    }
    if (step.dialect.blocks && fence.beginsLine && toolOf(step, held))
      return { part: blocksPart(step, held), tokens: [token] }
    think(step, fence.text + held)
    return { part: codePart(step), tokens: [token] }
  }

  return {
    take(token) {
      if (token.type === 'text') return takeText(token.text)
      if (hasLine) return decide(token)
      held += token.text
      return giveUp()
    },
    end() {
      if (!step.isFenced) think(step, fence.text + held)
    },
  }
}

function isOfStep({ hasProse, isLabelled }: Step, token: Token): boolean {
  if (token.type === 'tag') return true
  if (token.type !== 'label') return false
  return isLabelled ? token.label === 'action' || token.label === 'answer' : !hasProse
}

/** Code within a thought. What looks like a mark in it is none. */
const codePart = (step: Step): Part => ({
  take(token) {
    think(step, token.text)
    return token.type === 'fence' ? 'back' : 'more'
  },
  end() {},
})
