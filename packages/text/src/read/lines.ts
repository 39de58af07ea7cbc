import type { TextAction } from '../textEvent.ts'
import { readBracket } from './brackets.ts'
import { findLineEnd, isBlank, isDigit, skipSpace } from './characters.ts'
import { fence } from './fences.ts'
import { InnerJson } from './json.ts'
import { jsonStep } from './jsonStep.ts'
import { readJson } from './mendJson.ts'
import { emitCall, isNoTool, isNothing, resolveName } from './names.ts'
import type { Token } from './scanner.ts'
import { isOwnObservation, type Part, type Step, textToken } from './step.ts'

/** Reads the name of the tool after `Action:`, if `Action Input:` is a line of its own. */
export function* namedAction(step: Step): Part {
  let name = ''
  let rest = ''
  let isNamed = false
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    if (token.type === 'label') {
      const isEmpty = token.label === 'action' ? name === '' : token.label === 'input' && isNoTool(name)
      if (isEmpty) continue
      return yield* endName(step, token, { name: name.trim(), rest })
    }
    if (isNamed && isOwnObservation(token)) return emitInline(step, name.trim())
    if (name === '' && token.type === 'open') {
      step.unread(token)
      return yield* jsonStep(step, { counts: 'marked' })
    }
    if (name === '' && token.type === 'fence') return yield* fence(step, token, 'marked')
    const start = name === '' ? skipSpace(token.text, 0) : 0
    const line = isNamed ? 0 : findLineEnd(token.text, start)
    if (!isNamed) name += token.text.slice(start, line < 0 ? token.text.length : line)
    if (line < 0 || name === '') continue
    const inline = isNamed ? undefined : splitInput(name)
    isNamed = true
    if (inline) {
      // The label of the input follows the name, and the input may continue below.
      step.unread(textToken(inline.input + token.text.slice(line)))
      return yield* actionInput(step, withoutRemark(step, inline.name))
    }
    rest += token.text.slice(line)
  }
  return emitInline(step, name.trim())
}

type Written = { readonly name: string; readonly rest: string }
type LabelToken = Extract<Token, { type: 'label' }>

/** Continues after the label that ends a name. Before an answer or a thought, the name may be mere words. */
function* endName(step: Step, token: LabelToken, { name, rest }: Written): Part {
  if (token.label === 'input') {
    if (name === '') return step.refuse('There is an input, but "Action:" names no tool before it.')
    const stray = strayLabel(name)
    if (stray)
      return step.refuse(`"${stray}" must begin a line of its own. Write either an action or the final answer.`)
    step.think(rest)
    return yield* actionInput(step, withoutRemark(step, name))
  }
  const isSaid =
    token.label === 'answer' ? name === '' || !isCall(step, name) : token.label === 'thought' && isNoTool(name)
  if (!isSaid) return emitInline(step, name)
  step.think(isNothing(name) ? rest : `${name}${rest}`)
  return step.unread(token)
}

/** Emits a call without a line for the input, which some models write after the name. */
function emitInline(step: Step, line: string): 'done' {
  if (line === '') return step.refuse('After "Action:" there is no name of a tool.')
  if (isNoTool(line)) return step.refuse('There is no action. To end, write a line that begins with "Final Answer:".')
  const call = readInline(step, line)
  if (call) return emitCall(step, call)
  return step.refuse(`The action "${line.slice(0, 80)}" has no input. Write a line "Action Input:" below it.`)
}

/** Returns whether a line without an input is a call. */
function isCall(step: Step, line: string): boolean {
  const call = isNoTool(line) ? undefined : readInline(step, line)
  return call !== undefined && (call.input !== null || (step.tools?.includes(resolveName(line, step.tools)) ?? true))
}

/** Returns a label within the line of the name. */
const strayLabel = (name: string): string | undefined =>
  ['Final Answer:', 'Observation:', 'Thought:'].find((label) => name.includes(label))

/** Reads the text after `Action Input:`, until JSON is complete, a fence ends it, or a label follows. */
function* actionInput(step: Step, tool: string): Part {
  let text = ''
  let isInCode = false
  let isBegun = false
  const json = step.dialect.input === 'text' ? undefined : new InnerJson()
  const isOver = (token: Token): boolean => {
    if (token.type === 'fence') return step.isFenced && token.beginsLine && !json?.inString && isBegun
    if (token.type !== 'label' || token.label === 'input') return false
    return token.label === 'observation' || !(isInCode || json?.inString)
  }
  for (let token = yield* step.next(); token && !isOver(token); token = yield* step.next()) {
    if (token.type === 'fence') isInCode = !isInCode
    text += token.text
    isBegun ||= !isBlank(token.text)
    const value = json?.take(token.text)
    const input = value === undefined ? undefined : asInput(value)
    if (input) return emitCall(step, { tool, ...input })
  }
  return emitCall(step, { tool, ...toInput(step, text) })
}

type Input = Omit<TextAction, 'tool'>

/** Returns a whole input. Anything but JSON stays a string, which the tool's schema validates. */
function toInput({ dialect }: Step, text: string): Input {
  const bare = withoutMarks(withoutFence(text.trimStart()))
  const isJson = bare.startsWith('{') || (dialect.input !== 'text' && bare.startsWith('['))
  const found = isJson ? asInput(bare) : dialect.input === 'text' ? undefined : asScalar(bare.trim())
  return found ?? { input: unquote(text.trim()) }
}

function asInput(text: string): Input | undefined {
  const reading = readJson(text)
  return reading && { input: reading.value, ...(reading.isMended && { written: text.trim() }) }
}

function asScalar(text: string): Input | undefined {
  if (text === 'None') return { input: null }
  const isScalar =
    text === 'true' || text === 'false' || text === 'null' || isDigit(text.charCodeAt(text.startsWith('-') ? 1 : 0))
  const reading = isScalar ? readJson(text) : undefined
  return reading && !reading.isMended ? { input: reading.value } : undefined
}

/** Returns the content of a fence, if all of the text is in it. */
function withoutFence(text: string): string {
  const line = text.indexOf('\n')
  if (line < 0 || !text.startsWith('```')) return text
  const end = text.indexOf('```', line)
  return text.slice(line + 1, end < 0 ? text.length : end).trimStart()
}

/** Returns JSON without backticks before it, or the rest of a bold label. */
const withoutMarks = (text: string): string => text.replace(/^(?:`{1,2}|\*{1,4}\s*)(?=[{[])/, '')

/** Returns a string without its quotes, also if the last is missing. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  if (text.length > 5 && text.startsWith('"""') && text.endsWith('"""')) return text.slice(3, -3)
  const next = text.indexOf('"', 1)
  if (next < 0) return text.slice(1)
  const reading = readJson(text)
  if (typeof reading?.value === 'string' && !reading.isMended) return reading.value
  return next === text.length - 1 ? text.slice(1, -1) : text
}

/** Reads a line with the label of the input after the name. */
function splitInput(line: string): { readonly name: string; readonly input: string } | undefined {
  const label = line.indexOf('Action Input:')
  const name = line.slice(0, Math.max(label, 0)).trim()
  return name === '' || isNoTool(name) ? undefined : { name, input: line.slice(label + 'Action Input:'.length) }
}

/** Returns true for `search(Paris)`, but not for the remark `search (the web)` or the Python `search(q=Paris)`. */
const isPlainCall = (line: string, brace: number): boolean => /^\S\((?!\w+\s*=).*\)$/.test(line.slice(brace - 1))

/** If inputs are optional, anything in parentheses may belong to the name. */
const isKnown = ({ dialect, tools }: Step, tool: string): boolean =>
  tools?.includes(resolveName(tool, tools)) ?? dialect.input !== 'optional json'

/** Reads a call on one line: `search Action Input: Paris`, `search {"q": 1}`, `search("Paris")`, `search(Paris)`, `search[Paris]`. */
function readInline(step: Step, line: string): TextAction | undefined {
  const inline = splitInput(line)
  if (inline) return { tool: withoutRemark(step, inline.name), ...toInput(step, inline.input) }
  const brace = line.search(/[{(]/)
  const tool = line.slice(0, Math.max(brace, 0)).trim()
  const isOneWord = tool !== '' && !/\s/.test(tool)
  const inner = line.charAt(brace) === '(' && line.endsWith(')') ? line.slice(brace + 1, -1).trim() : line.slice(brace)
  if (isOneWord && inner === '') return { tool, input: null }
  const isInput = /^["'{]/.test(inner) || (isPlainCall(line, brace) && isKnown(step, tool))
  if (isOneWord && isInput) return { tool, ...toInput(step, inner) }
  const bracket = readBracket(line)
  if (bracket && !/\s/.test(bracket.tool)) return bracket
  return step.dialect.input === 'optional json' ? { tool: line, input: null } : undefined
}

/** Removes a remark in parentheses after a name. If inputs are JSON, names are single words. */
function withoutRemark({ dialect, tools }: Step, written: string): string {
  const name = resolveName(written, tools)
  const open = name.indexOf('(')
  return dialect.input === 'json' && open > 0 && !tools?.includes(name) ? name.slice(0, open).trimEnd() : name
}
