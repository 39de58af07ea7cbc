import { type CallBody, createCallBody } from './callBody.ts'
import { callClosers, callTags, callWrappers, observationTag } from './callTags.ts'
import { giveCall } from './give.ts'
import { type Part, type PartResult, type Step, think } from './part.ts'
import { readTagCalls } from './readTagCalls.ts'
import type { Token } from './token.ts'

/**
 * Reads calls between tags, and all that follows the first one: there may be several, and text between them. A call ends
 * with its closing tag, or where the next one begins. What is no call is invalid, and the model is told so.
 */
export function callsPart(step: Step, tag: string): Part {
  let body: CallBody | undefined = createCallBody(tag)
  let isInCode = false

  const settle = (): void => {
    if (!body) return
    for (const piece of readTagCalls(body.open, body.text)) {
      if (piece.type === 'call') giveCall(step, piece)
      else if (piece.type === 'text') think(step, `${piece.text}\n`)
      else step.out.invalid(piece.text, unusable)
    }
    body = undefined
  }

  const begin = (open: string): PartResult => {
    // A tag around the tag of a function says nothing.
    if (!(body?.isBlank && open.includes('=') && !body.open.includes('='))) settle()
    body = createCallBody(open)
    return step.out.hasAnswer ? 'done' : 'more'
  }

  const finish = (): PartResult => {
    settle()
    return step.out.hasAnswer ? 'done' : 'more'
  }

  const takeWithin = (within: CallBody, token: Token): PartResult => {
    const isObservation = token.type === 'label' ? token.label === 'observation' : token.text === observationTag
    if (within.holds(token)) within.add(token)
    else if (isObservation && token.type !== 'text') return end()
    else if (token.type === 'tag' && callTags.has(token.text)) return begin(token.text)
    else if (token.type === 'tag' && (callClosers.has(token.text) || callWrappers.has(token.text))) return finish()
    else within.add(token)
    return 'more'
  }

  const takeBetween = (token: Token): PartResult => {
    if (token.type === 'fence') isInCode = !isInCode
    const isMark = !isInCode && !step.quotes.isQuoting
    if (isMark && token.type === 'label' && token.label === 'observation') return 'done'
    if (isMark && token.type === 'tag') {
      if (token.text === observationTag) return 'done'
      if (callTags.has(token.text)) return begin(token.text)
      if (callClosers.has(token.text) || callWrappers.has(token.text)) return 'more'
    }
    if (token.type !== 'fence') think(step, token.text)
    return 'more'
  }

  /** What a model writes behind an observation of its own is invented. */
  const end = (): 'done' => {
    settle()
    return 'done'
  }

  return {
    take: (token) => (body ? takeWithin(body, token) : takeBetween(token)),
    // The closing tag is often the word at which the model was stopped.
    end: settle,
  }
}

const unusable = 'A call cannot be read. Write <tool_call>{"name": …, "arguments": …}</tool_call> with JSON in it.'
