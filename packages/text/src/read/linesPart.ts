import { findLineEnd, skipSpace } from './characters.ts'
import { fencePart } from './fencePart.ts'
import { giveCall } from './give.ts'
import { inputPart } from './inputPart.ts'
import { jsonPart } from './jsonPart.ts'
import { goBack, goTo, type Part, type PartResult, refuse, type Step, think } from './part.ts'
import { type InlineInput, readInline, splitInput, withoutRemark } from './readInline.ts'
import { isNoTool, isNothing, resolveName } from './resolveName.ts'
import type { Token } from './token.ts'

/** Reads the tool name after `Action:`, if `Action Input:` has its own line. */
export function linesPart(step: Step): Part {
  const pieces: string[] = []
  /** Below the line of the name. */
  const below: string[] = []
  let hasName = false
  let isNamed = false

  const takeText = (text: string): PartResult => {
    if (isNamed) {
      below.push(text)
      return 'more'
    }
    const start = hasName ? 0 : skipSpace(text, 0)
    const line = findLineEnd(text, start)
    pieces.push(text.slice(start, line < 0 ? text.length : line))
    hasName ||= start < text.length
    isNamed = hasName && line >= 0
    const inline = isNamed ? splitInput(pieces.join('')) : undefined
    if (inline) return goOn(inline, text.slice(line))
    if (isNamed) below.push(text.slice(line))
    return 'more'
  }

  /** Continues with the input, if its label follows the name; it may continue on the next lines. */
  const goOn = ({ name, input }: InlineInput, rest: string): PartResult =>
    goTo(inputPart(step, withoutRemark(step, name)), { type: 'text', text: input + rest })

  const takeLabel = (token: Extract<Token, { type: 'label' }>): PartResult => {
    if (token.label === 'action' && !hasName) return 'more'
    const name = pieces.join('').trim()
    if (token.label === 'input' && !isNoTool(name)) return beginInput(name)
    if (token.label === 'input') return 'more'
    const isSaid =
      token.label === 'answer' ? !(hasName && isCall(step, name)) : token.label === 'thought' && isNoTool(name)
    if (!isSaid) return settle(name)
    // Where an answer or a thought follows, some models say so in place of a name.
    think(step, isNothing(name) ? below.join('') : `${name}${below.join('')}`)
    return goBack(token)
  }

  const beginInput = (name: string): PartResult => {
    if (name === '') return refuse(step, 'There is an input, but "Action:" names no tool before it.')
    const stray = strayLabel(name)
    if (stray)
      return refuse(step, `"${stray}" must begin a line of its own. Write either an action or the final answer.`)
    think(step, below.join(''))
    return goTo(inputPart(step, withoutRemark(step, name)))
  }

  /** There is no line for the input. Some models write it behind the name. */
  const settle = (name: string): 'done' => {
    if (name === '') return refuse(step, 'After "Action:" there is no name of a tool.')
    if (isNoTool(name))
      return refuse(step, 'There is no action. To end, write a line that begins with "Final Answer:".')
    const call = readInline(step, name)
    if (call) giveCall(step, call)
    else return refuse(step, `The action "${name.slice(0, 80)}" has no input. Write a line "Action Input:" below it.`)
    return 'done'
  }

  return {
    take(token) {
      if (token.type === 'label') return takeLabel(token)
      if (hasName) return takeText(token.text)
      if (token.type === 'open') return goTo(jsonPart(step, { counts: 'marked' }), token)
      if (token.type === 'fence') return goTo(fencePart(step, { fence: token, json: 'marked' }))
      return takeText(token.text)
    },
    end() {
      settle(pieces.join('').trim())
    },
  }
}

/** Returns true if a line without an input is a call. Before an answer, some models write that there is none. */
function isCall(step: Step, line: string): boolean {
  const call = isNoTool(line) ? undefined : readInline(step, line)
  return call !== undefined && (call.input !== null || (step.tools?.includes(resolveName(line, step.tools)) ?? true))
}

/** A label within the line of the name. */
const strayLabel = (name: string): string | undefined =>
  ['Final Answer:', 'Observation:', 'Thought:'].find((label) => name.includes(label))
