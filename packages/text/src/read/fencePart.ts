import { blocksPart, isLanguage, toolOf } from './blocksPart.ts'
import { findLineEnd, isBlank, skipSpace } from './characters.ts'
import { heldFencePart } from './heldFencePart.ts'
import { type JsonOptions, jsonPart } from './jsonPart.ts'
import { type Change, goBack, goTo, type Part, type PartResult, type Step, think } from './part.ts'
import type { Label, Token } from './token.ts'

interface FenceOptions {
  readonly fence: Extract<Token, { type: 'fence' }>
  /** The condition under which JSON in it is the step. Undefined if JSON in it is ordinary code. */
  readonly json: JsonOptions['counts'] | undefined
}

/**
 * Reads a code fence with unknown content. Models put whole steps in fences, and examples of steps too. It is a step if
 * nothing precedes it and it begins with a label or with prose. After a labelled thought, it is one if it is closed and
 * nothing follows it.
 */
export function fencePart(step: Step, { fence, json }: FenceOptions): Part {
  let held = ''
  let hasLine = false

  const takeText = (text: string): PartResult => {
    const rest = hasLine ? text : takeInfo(text)
    if (rest === undefined) return 'more'
    if (held.length > 200) return giveUp(rest)
    if (!hasLine && json) return goTo(jsonInFence(json), { type: 'text', text: rest })
    const space = skipSpace(rest, 0)
    held += rest.slice(0, space)
    return isBlank(rest) ? 'more' : decide({ type: 'text', text: rest.slice(space) })
  }

  /** Returns the text after the fence's first line, or JSON on that line. Undefined if there is none yet. */
  const takeInfo = (text: string): string | undefined => {
    const line = findLineEnd(text)
    const info = line < 0 ? text : text.slice(0, line + 1)
    const brace = json ? info.search(/[{[]/) : -1
    const isJson = brace >= 0 && held.length + brace < 20 && /^\w*\s*$/.test(held + info.slice(0, brace))
    hasLine = line >= 0 && !isJson
    held += isJson ? info.slice(0, brace) : info
    if (isJson) return text.slice(brace)
    return hasLine || held.length > 200 ? text.slice(info.length) : undefined
  }

  const jsonInFence = (counts: JsonOptions['counts']): Part => {
    const isPlain = isLanguage(held)
    if (!isPlain) think(step, fence.text + held)
    return jsonPart(step, { counts, before: isPlain ? fence.text + held : '', behind: codePart(step) })
  }

  /** It is no fence, but a quotation in its line. */
  const giveUp = (rest = ''): Change => {
    think(step, fence.text + held + rest)
    return goBack()
  }

  const beginFenced = (...tokens: readonly Token[]): Change => {
    step.isFenced = true
    if (!isLanguage(held)) think(step, held)
    return goBack(...tokens)
  }

  const decide = (token: Token): PartResult => {
    if (step.isFenced && isBlank(held)) {
      step.isFenced = false
      think(step, step.isLabelled ? held : fence.text + held)
      return goBack(token)
    }
    if (token.type === 'open' && json) return goTo(jsonInFence(json), token)
    if (isOfStep(step, token)) return beginFenced(token)
    if (mayCarryOn(step, token)) {
      return json === 'marked'
        ? beginFenced(token)
        : goTo(heldFencePart(step, { opening: fence.text + held, begin: beginFenced }), token)
    }
    const isCommand = step.dialect.blocks && fence.beginsLine && token.type !== 'label'
    if (isCommand && toolOf(step, held)) return goTo(blocksPart(step, { fence: fence.text, firstLine: held }), token)
    const isOfProse = isWholeText(step, held)
    think(step, fence.text + held)
    if (!isOfProse) return goTo(codePart(step), token)
    step.isFenced = true
    return goBack(token)
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

const isOfStep = ({ hasProse, isLabelled }: Step, { type }: Token): boolean =>
  (type === 'label' || type === 'tag') && !hasProse && !isLabelled

const mayCarryOn = ({ isLabelled }: Step, token: Token): boolean =>
  isLabelled && (token.type === 'tag' || (token.type === 'label' && carriesOn.includes(token.label)))
const carriesOn: readonly Label[] = ['action', 'answer']

/** Returns true if a fence contains the whole text, beginning with prose. */
const isWholeText = ({ hasProse, isLabelled, dialect }: Step, firstLine: string): boolean =>
  !hasProse &&
  !isLabelled &&
  dialect.marks.labels.length > 0 &&
  /^(?:|text|plaintext|md|markdown)$/i.test(firstLine.trim())

/** Code within a thought. What looks like a mark in it is none. */
const codePart = (step: Step): Part => ({
  take(token) {
    think(step, token.text)
    return step.quotes.isInFence ? 'more' : goBack()
  },
  end() {},
})
