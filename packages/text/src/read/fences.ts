import { codeBlocks, isLanguage, toolOf } from './blocks.ts'
import { findLineEnd, isBlank } from './characters.ts'
import { type JsonOptions, jsonStep } from './jsonStep.ts'
import { Quotes } from './quotes.ts'
import type { FenceToken, Token } from './scanner.ts'
import { isLabel, isOwnObservation, type Part, type Reading, type Step, textFrom, textToken } from './step.ts'
import { callTags, callWrappers } from './tags.ts'

/**
 * Reads a code fence whose content is not known yet. Models put whole steps in fences, and examples of steps too. It is
 * a step if nothing precedes it and it begins with a label or with prose. After a thought with a label, it is one if it
 * is closed and nothing follows it. `json` is the condition for JSON in it to be the step; without it, JSON is code.
 */
export function* fence(step: Step, mark: FenceToken, json: JsonOptions['counts'] | undefined): Part {
  const { info, isJson, isLine, isObserved = false } = yield* readInfo(step, json !== undefined)
  const jsonInFence = (counts: JsonOptions['counts']): Part => {
    const isPlain = isLanguage(info)
    if (!isPlain) step.think(mark.text + info)
    return jsonStep(step, { counts, before: isPlain ? mark.text + info : '', behind: code })
  }
  if (isJson && json) return yield* jsonInFence(json)
  if (!isLine) return step.think(mark.text + info)
  const held = info + (yield* step.readText((text) => text.search(/\S/)))
  const token = yield* step.next()
  if (!token) return step.isFenced ? undefined : step.think(mark.text + held)
  step.unread(token)
  if (step.isFenced && isBlank(held)) {
    step.isFenced = false
    return step.think(step.isLabelled ? held : mark.text + held)
  }
  if (token.type === 'open' && json) return yield* jsonInFence(json)
  if (isOfStep(step, token) || (json === 'marked' && mayContinue(step, token)))
    return beginFenced(step, { held, isObserved })
  if (mayContinue(step, token)) return yield* heldFence(step, { mark: mark.text, held, isObserved })
  // A call between tags is not a command.
  const isCommand = step.dialect.blocks && mark.beginsLine && token.type !== 'label' && !isCallTag(token)
  if (isCommand && toolOf(step, held))
    return yield* codeBlocks(step, { mark, firstLine: held, isMarked: json === 'marked' })
  const isWhole = isWholeText(step, held)
  step.think(mark.text + held)
  if (!isWhole) return yield* code(step)
  step.isFenced = true
  return undefined
}

interface Info {
  readonly info: string
  /** True if JSON follows in the same line. */
  readonly isJson?: boolean
  /** True if the line has an end. Otherwise the marks are a quotation in their line. */
  readonly isLine: boolean
  /** True if the model wrote an observation of its own on the line. */
  readonly isObserved?: boolean
}

/** Reads the line after a fence, up to JSON on it. */
function* readInfo(step: Step, mayBeJson: boolean): Reading<Info> {
  let info = ''
  let isObserved = false
  for (;;) {
    const token = yield* step.next()
    isObserved ||= token !== undefined && isOwnObservation(token)
    if (token?.type !== 'text') return { info: info + (token?.text ?? ''), isLine: token === undefined }
    const line = findLineEnd(token.text)
    const text = line < 0 ? token.text : token.text.slice(0, line + 1)
    const brace = mayBeJson ? text.search(/[{[]/) : -1
    const isJson = brace >= 0 && info.length + brace < 20 && /^\w*\s*$/.test(info + text.slice(0, brace))
    const read = isJson ? text.slice(0, brace) : text
    info += read
    if (!isJson && line < 0 && info.length <= 200) continue
    step.unread(textFrom(token, read.length))
    return { info, isJson, isLine: info.length <= 200, isObserved }
  }
}

/** Continues with the content of the fence as the step. */
function beginFenced(step: Step, { held, isObserved }: Omit<Held, 'mark'>): 'done' | undefined {
  if (isObserved) return step.refuseObservation()
  step.isFenced = true
  return isLanguage(held) ? undefined : step.think(held)
}

interface Held {
  readonly mark: string
  /** The rest of the line after the mark, and white space. */
  readonly held: string
  readonly isObserved: boolean
}

const isOfStep = ({ hasProse, isLabelled }: Step, { type }: Token): boolean =>
  (type === 'label' || type === 'tag') && !hasProse && !isLabelled

const isCallTag = ({ type, text }: Token): boolean => type === 'tag' && (callTags.has(text) || callWrappers.has(text))

const mayContinue = ({ isLabelled }: Step, token: Token): boolean =>
  isLabelled && (token.type === 'tag' || isLabel(token, 'action') || isLabel(token, 'answer'))

/** Returns whether a fence contains the whole text, which begins with prose. */
const isWholeText = ({ hasProse, isLabelled, dialect }: Step, firstLine: string): boolean =>
  !hasProse &&
  !isLabelled &&
  dialect.marks.labels.length > 0 &&
  /^(?:|text|plaintext|md|markdown)$/i.test(firstLine.trim())

/** Reads code within a thought. It has no marks. */
function* code(step: Step): Part {
  while (step.quotes.isInFence) {
    const token = yield* step.next()
    if (!token) return undefined
    step.think(token.text)
  }
  return undefined
}

/** Reads a fence after a thought: a step if it is closed and nothing follows. Otherwise it is an example. */
function* heldFence(step: Step, { mark, held, isObserved }: Held): Part {
  const quotes = new Quotes()
  const tokens: Token[] = []
  quotes.read(mark + held)
  let next = yield* step.next()
  for (; next; next = yield* step.next()) {
    let token = next
    if (quotes.isInFence) {
      quotes.read(token.text)
      const isInside = quotes.isInFence || token.type !== 'text'
      const line = isInside ? token.text.length : findLineEnd(token.text)
      tokens.push(isInside ? token : textToken(token.text.slice(0, line)))
      if (isInside) continue
      token = textFrom(token, line)
    }
    next = token
    // An invented observation shows that the step was meant.
    if (isLabel(token, 'observation') || !isBlank(token.text)) break
    tokens.push(token)
  }
  if (!next) quotes.read('\n')
  const isStep = next ? isLabel(next, 'observation') : !quotes.isInFence
  step.unread(next)
  if (isStep) {
    step.unreadAll(tokens)
    return beginFenced(step, { held, isObserved })
  }
  return step.think(mark + held + tokens.map(({ text }) => text).join(''))
}
