import { type CallBody, createCallBody } from './callBody.ts'
import { callClosers, callTags, callWrappers, observationTag } from './callTags.ts'
import { giveCall } from './give.ts'
import { type Part, type PartResult, type Step, think } from './part.ts'
import { type IsText, readTagCalls } from './readTagCalls.ts'
import { resolveName } from './resolveName.ts'
import type { Token } from './token.ts'

/**
 * Reads calls between tags, and everything after the first: there may be several, with text between them. A call ends
 * with its closing tag, or where the next begins. Anything else is invalid, and the model learns that.
 */
export function callsPart(step: Step, tag: string): Part {
  return partOf(step, { body: createCallBody(tag), isBare: false, isFenced: false })
}

/** Reads what follows a call that is JSON without a tag: more of them, and text. */
export const moreCallsPart = (step: Step, { isFenced }: { readonly isFenced: boolean }): Part =>
  partOf(step, { body: undefined, isBare: true, isFenced })

interface Beginning {
  readonly body: CallBody | undefined
  /** Calls may be JSON without tags. */
  readonly isBare: boolean
  /** True inside a fence around the calls. */
  readonly isFenced: boolean
}

function partOf(step: Step, { body: first, isBare, isFenced }: Beginning): Part {
  let body = first
  let isInCode = isFenced

  const isText: IsText = (tool, field) => step.isText(resolveName(tool, step.tools), field)

  const settle = (): void => {
    if (!body) return
    for (const piece of readTagCalls(body.open, body.text, isText)) {
      if (piece.type === 'call') giveCall(step, piece)
      else if (piece.type === 'text') think(step, `${piece.text}\n`)
      else step.out.invalid(piece.text, unusable)
    }
    body = undefined
    step.observations?.beginLine()
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
    if (token.type === 'open' && isBare && (!isInCode || isFenced)) {
      body = createCallBody('<tool_call>')
      body.add(token)
      return 'more'
    }
    if (token.type === 'fence') isInCode = !isInCode
    const isMark = !isInCode && !step.quotes.isQuoting
    if (isMark && token.type === 'label' && token.label === 'observation') return 'done'
    if (isMark && token.type === 'tag') {
      if (token.text === observationTag) return 'done'
      if (callTags.has(token.text)) return begin(token.text)
      if (callClosers.has(token.text) || callWrappers.has(token.text)) return 'more'
    }
    if (isMark && step.observations?.read(token.text) !== undefined) return 'done'
    if (token.type !== 'fence') think(step, token.text)
    return 'more'
  }

  /** Stops at an observation of the model's own, since what follows is invented. */
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
