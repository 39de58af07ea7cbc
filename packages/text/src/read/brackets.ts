import type { TextAction } from '../textEvent.ts'
import { findLineEnd, isBlank, unit } from './characters.ts'
import { emitCall, isNoTool } from './names.ts'
import { isLabel, isOwnObservation, type Part, type Step } from './step.ts'

/** Reads `search[Paris]`. The input ends at the last bracket, which must end the text: an input may hold other actions. */
export function readBracket(text: string): TextAction | undefined {
  const action = unmarked(text.trim())
  const open = action.indexOf('[')
  const tool = action.slice(0, Math.max(open, 0)).trim()
  if (tool === '' || /[\n\r]/.test(tool) || !action.endsWith(']')) return undefined
  return { tool, input: action.slice(open + 1, -1).trim() }
}

/** Returns the action without the marks that make all of it bold or code, and without a full stop. */
function unmarked(action: string): string {
  const inner = /^(\*\*|`)([^`*].*)\1$/s.exec(action)?.[2]
  return inner ?? (action.endsWith('].') ? action.slice(0, -1) : action)
}

interface BracketOptions {
  /** True if there was no label, so that any text before an action or a label is a thought. */
  readonly isBare: boolean
}

/**
 * Reads `search[Paris]` after `Action:`, up to the next label. `Action:` in the brackets is part of the input; after
 * them it begins a second action, which is ignored. `think[…]` is a thought, so an action may follow it.
 */
export function* bracketAction(step: Step, { isBare }: BracketOptions = { isBare: false }): Part {
  let text = ''
  let hasAction = false
  let isAlone = true
  let observed: Written['observed']
  const depth = new BracketDepth()
  let token = yield* step.next()
  for (; token; token = yield* step.next()) {
    if (token.type === 'label' && (isBare || token.label === 'thought' || token.label === 'observation')) break
    if (token.type === 'fence' && step.isFenced) break
    if (isLabel(token, 'action')) {
      if (depth.isClosed) break
      if (!hasAction) continue
      isAlone = false
    }
    hasAction ||= !isBlank(token.text)
    if (isOwnObservation(token)) observed = depth.isClosed ? 'behind' : (observed ?? 'within')
    depth.read(token.text)
    text += token.text
  }
  step.unread(token)
  if (isBare && token && isLabel(token, 'action')) return observed ? step.refuseObservation() : step.think(text)
  return settle(step, { text, isBare, isWhole: isAlone || depth.isClosed, end: depth.end, observed })
}

interface Written extends BracketOptions {
  readonly text: string
  /** True if no second action is in it, or its brackets are closed. */
  readonly isWhole: boolean
  /** The end of the line in which the brackets are closed. */
  readonly end: number | undefined
  /** The position of an observation that the model wrote itself. */
  readonly observed: 'within' | 'behind' | undefined
}

function settle(step: Step, { text, isBare, isWhole, end, observed }: Written): 'done' | undefined {
  const action = text.trim()
  const call = isWhole ? (readBracket(text.slice(0, end)) ?? readFirstLine(action)) : undefined
  if (call?.tool === 'think' || (!call && action.startsWith('think['))) {
    const rest = call && end !== undefined ? text.slice(end) : ''
    if (observed === 'behind' || (observed && end === undefined)) return step.refuseObservation()
    step.out.thought(`${call ? call.input + rest : action.slice('think['.length)}\n`)
    step.isThoughtAlone = true
    return undefined
  }
  if (call && !isNoTool(call.tool)) return emitCall(step, call)
  if (observed) return step.refuseObservation()
  return isBare ? step.think(text) : step.refuse(problemWith(action))
}

/** Reads an action with a closing word below it, such as "I hope this helps!". */
function readFirstLine(action: string): TextAction | undefined {
  const end = findLineEnd(action)
  return end < 0 ? undefined : readBracket(action.slice(0, end))
}

function problemWith(action: string): string {
  const shown = action.length > 80 ? `${action.slice(0, 80)}…` : action
  if (action === '') return 'After "Action:" there is nothing.'
  if (!action.includes('[')) return `The action "${shown}" has no input. Write it in brackets, as in "search[Paris]".`
  return `The action "${shown}" does not end with its closing bracket. Write one action and nothing behind it.`
}

/** Follows the brackets of a text that grows. */
class BracketDepth {
  #depth = 0
  #length = 0
  isClosed = false
  /** The end of the line in which the first bracket was closed. Undefined if it is open, or if no other line follows. */
  end: number | undefined

  read(text: string): void {
    const from = this.isClosed ? 0 : this.#findClosing(text)
    const line = this.isClosed && this.end === undefined ? findLineEnd(text, from) : -1
    if (line >= 0) this.end = this.#length + line
    this.#length += text.length
  }

  #findClosing(text: string): number {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === unit.openBracket) this.#depth++
      else if (code === unit.closeBracket && this.#depth > 0 && --this.#depth === 0) {
        this.isClosed = true
        return i + 1
      }
    }
    return text.length
  }
}
