import type { Json } from '../../json.ts'
import { isBlank, isDigit } from './characters.ts'
import { createJsonEnd } from './jsonEnd.ts'
import { giveCall, type Part, type PartResult, type Step } from './part.ts'
import { readJson } from './readJson.ts'
import type { Token } from './token.ts'

/** What follows `Action Input:`. JSON ends where it is complete, text where the next label or the step's fence ends it. */
export function inputPart(step: Step, tool: string): Part {
  const pieces: string[] = []
  const json = step.dialect.input === 'text' ? undefined : createInnerJson()
  let isBegun = false

  const settle = (): 'done' => {
    giveCall(step, { tool, ...toInput(step, pieces.join('')) })
    return 'done'
  }

  const takeText = (text: string): PartResult => {
    pieces.push(text)
    isBegun ||= !isBlank(text)
    const value = json?.take(text)
    const found = value === undefined ? undefined : asInput(value)
    if (!found) return 'more'
    giveCall(step, { tool, ...found })
    return 'done'
  }

  const isOver = (token: Token): boolean => {
    if (token.type === 'fence') return step.isFenced && isBegun && token.beginsLine && !json?.isInString()
    if (token.type !== 'label' || token.label === 'input') return false
    return token.label === 'observation' || !json?.isInString()
  }

  return {
    take: (token) => (isOver(token) ? settle() : takeText(token.text)),
    end() {
      settle()
    },
  }
}

interface Input {
  readonly input: Json
  readonly written?: string
}

/** An input as a whole. What is no JSON stays text: whether that fits the tool is for its schema to say. */
export function toInput({ dialect }: Step, text: string): Input {
  const written = text.trim()
  const bare = withoutFence(written)
  const isObject = bare.startsWith('{')
  if (isObject || dialect.input !== 'text') {
    const found = isObject || /^[[(]|^\w+\(\{/.test(bare) ? asInput(bare) : asScalar(bare)
    if (found) return found
  }
  return { input: unquote(written) }
}

function asInput(text: string): Input | undefined {
  const reading = readJson(text)
  if (!reading) return undefined
  return { input: reading.value, ...(reading.isMended && { written: text }) }
}

function asScalar(text: string): Input | undefined {
  if (text === 'None') return { input: null }
  const isScalar =
    text === 'true' || text === 'false' || text === 'null' || isDigit(text.charCodeAt(text.startsWith('-') ? 1 : 0))
  const reading = isScalar ? readJson(text) : undefined
  return reading && !reading.isMended ? { input: reading.value } : undefined
}

/** What stands in a fence, if all of it does. */
function withoutFence(text: string): string {
  if (!text.startsWith('```')) return text
  const line = text.indexOf('\n')
  const end = text.endsWith('```') ? text.length - 3 : text.length
  return line < 0 || line > end ? text : text.slice(line + 1, end).trim()
}

/** A text in quotes without them, also if the last is missing. */
function unquote(text: string): string {
  const quote = text.charAt(0)
  if (quote !== '"') return text
  const next = text.indexOf(quote, 1)
  if (next < 0) return text.slice(1)
  const reading = readJson(text)
  if (typeof reading?.value === 'string' && !reading.isMended) return reading.value
  return next === text.length - 1 ? text.slice(1, -1) : text
}

/** Finds the first JSON object or array, if nothing but a fence or the beginning of a call stands before it. */
function createInnerJson() {
  const end = createJsonEnd()
  let before = ''
  let state: 'before' | 'within' | 'none' = 'before'
  const pieces: string[] = []
  const within = (text: string): string | undefined => {
    const place = end.find(text)
    pieces.push(text.slice(0, place))
    if (place === undefined) return undefined
    state = 'none'
    return pieces.join('')
  }
  return {
    take(text: string): string | undefined {
      if (state === 'within') return within(text)
      if (state === 'none') return undefined
      const start = text.search(/[{[]/)
      before = (before + (start < 0 ? text : text.slice(0, start))).trimStart()
      if (start < 0 ? before.length > 80 : !/^\s*(?:```\w*\s*|[\w.-]+\s*\(\s*)?$/.test(before)) state = 'none'
      else if (start >= 0) {
        state = 'within'
        return within(text.slice(start))
      }
      return undefined
    },
    isInString: () => state === 'within' && end.inString,
  }
}
