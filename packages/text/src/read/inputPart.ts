import type { Json } from '@interleave/core'
import { isBlank, isDigit } from './characters.ts'
import { giveCall } from './give.ts'
import { createInnerJson } from './innerJson.ts'
import type { Part, PartResult, Step } from './part.ts'
import { isExact, readJson } from './readJson.ts'
import type { Token } from './token.ts'

/**
 * Reads the text after `Action Input:`. JSON ends where it is complete; text ends with the step's fence, or at the next
 * label outside of code.
 */
export function inputPart(step: Step, tool: string): Part {
  const pieces: string[] = []
  let isInCode = false
  const json = step.dialect.input === 'text' ? undefined : createInnerJson()
  let isBegun = false

  const settle = (): 'done' => {
    giveCall(step, { tool, ...toInput(step, pieces.join('')) })
    return 'done'
  }

  const takeText = ({ type, text }: Token): PartResult => {
    if (type === 'fence') isInCode = !isInCode
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
    return token.label === 'observation' || !(isInCode || json?.isInString())
  }

  return {
    take: (token) => (isOver(token) ? settle() : takeText(token)),
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
  const bare = withoutMarks(withoutFence(text.trimStart()))
  const isObject = bare.startsWith('{')
  const isJson = isObject || (dialect.input !== 'text' && bare.startsWith('['))
  const found = isJson ? asInput(bare) : dialect.input === 'text' ? undefined : asScalar(bare.trim())
  return found ?? { input: unquote(text.trim()) }
}

function asInput(text: string): Input | undefined {
  const reading = readJson(text)
  if (!reading) return undefined
  return { input: reading.value, ...(reading.isMended && { written: text.trim() }) }
}

function asScalar(text: string): Input | undefined {
  if (text === 'None') return { input: null }
  const isScalar =
    text === 'true' || text === 'false' || text === 'null' || isDigit(text.charCodeAt(text.startsWith('-') ? 1 : 0))
  const reading = isScalar ? readJson(text) : undefined
  return reading && !reading.isMended && isExact(reading.value, text) ? { input: reading.value } : undefined
}

/** Removes a fence around the whole text. */
function withoutFence(text: string): string {
  const line = text.indexOf('\n')
  if (line < 0 || !text.startsWith('```')) return text
  const end = text.indexOf('```', line)
  return text.slice(line + 1, end < 0 ? text.length : end).trimStart()
}

/** JSON without backticks before it, or what is left of a bold label. */
const withoutMarks = (text: string): string => text.replace(/^(?:`{1,2}|\*{1,4}\s*)(?=[{[])/, '')

/** A text in quotes without them, also if the last is missing. */
function unquote(text: string): string {
  const quote = text.charAt(0)
  if (quote !== '"') return text
  if (text.length > 5 && text.startsWith('"""') && text.endsWith('"""')) return text.slice(3, -3)
  const next = text.indexOf(quote, 1)
  if (next < 0) return text.slice(1)
  const reading = readJson(text)
  if (typeof reading?.value === 'string' && !reading.isMended) return reading.value
  return next === text.length - 1 ? text.slice(1, -1) : text
}
