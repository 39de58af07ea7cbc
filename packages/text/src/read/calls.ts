import { findJson, isBlank } from './characters.ts'
import { JsonEnd } from './json.ts'
import { emitCall, resolveName } from './names.ts'
import type { Token } from './scanner.ts'
import { type IsText, isLabel, isOwnObservation, type Part, type Step } from './step.ts'
import { readTagCalls } from './tagCalls.ts'
import { callClosers, callTags, callWrappers, observationTags, valueClosers, valueOpeners } from './tags.ts'

interface Beginning {
  /** The tag that begins the first call. Undefined if the calls are JSON without tags. */
  readonly tag?: string
  /** True if the calls are in an open fence. */
  readonly isFenced?: boolean
}

/**
 * Reads calls between tags, and all that follows the first one: there may be several, and text between them. A call ends with
 * its closing tag, or where the next one begins. Text within tags that is not a call is reported to the model.
 */
export function* calls(step: Step, { tag, isFenced = false }: Beginning): Part {
  const isBare = tag === undefined
  let isInCode = isFenced
  let body = isBare ? undefined : new CallBody(tag)
  const begin = (open: string): void => {
    // A tag around the tag of a function has no meaning.
    if (!(body?.isBlank && open.includes('=') && !body.open.includes('='))) emitBody(step, body)
    body = new CallBody(open)
  }
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    if (!body && token.type === 'fence') isInCode = !isInCode
    const mayBeMark = body ? !body.holds(token) : !isInCode && !step.quotes.isQuoting
    const kind = mayBeMark ? kindOf(token) : undefined
    if (kind === 'observation') break
    if (isOwnObservation(token) && (body ? body.mayEnd : mayBeMark)) {
      if (body) body.add(token)
      else step.think(token.text)
      break
    }
    if (kind === 'opener') begin(token.text)
    else if (kind === 'closer') {
      emitBody(step, body)
      body = undefined
    } else if (body) body.add(token)
    else if (isBare && token.type === 'open' && (!isInCode || isFenced)) {
      body = new CallBody('<tool_call>')
      body.add(token)
    } else if (token.type !== 'fence') step.think(token.text)
    if (step.out.hasAnswer) return 'done'
  }
  // The closing tag is often the stop sequence of the request.
  emitBody(step, body)
  return 'done'
}

/** Returns the kind of a token. Everything that a model writes after an observation of its own is invented. */
function kindOf(token: Token): 'observation' | 'opener' | 'closer' | undefined {
  if (isLabel(token, 'observation')) return 'observation'
  if (token.type !== 'tag') return undefined
  if (observationTags.has(token.text)) return 'observation'
  if (callTags.has(token.text)) return 'opener'
  return callClosers.has(token.text) || callWrappers.has(token.text) ? 'closer' : undefined
}

function emitBody(step: Step, body: CallBody | undefined): void {
  if (!body) return
  const isText: IsText = (tool, field) => step.isText(resolveName(tool, step.tools), field)
  for (const segment of readTagCalls(body.open, body.text, isText)) {
    if (segment.type === 'call') emitCall(step, segment.call)
    else if (segment.type === 'text') step.think(`${segment.text}\n`)
    else step.out.invalid(segment.text, unusable)
  }
}

const unusable = 'A call cannot be read. Write <tool_call>{"name": …, "arguments": …}</tool_call> with JSON in it.'

/** Collects the text of one call, and distinguishes a mark that ends the call from one that an argument holds. */
class CallBody {
  readonly open: string
  text = ''
  isBlank = true
  #json: JsonEnd | undefined
  #values = 0

  constructor(open: string) {
    this.open = open
  }

  add({ type, text }: Token): void {
    this.text += text
    this.isBlank &&= isBlank(text)
    if (!this.#json && type === 'tag' && valueOpeners.has(text)) this.#values++
    else if (!this.#json && type === 'tag' && valueClosers.has(text)) this.#values = Math.max(0, this.#values - 1)
    else if (this.#values === 0) this.#followJson(text)
  }

  /** True if the end of the text is neither in JSON nor in an argument. */
  get mayEnd(): boolean {
    return this.#json === undefined && this.#values === 0
  }

  /** Returns true if this mark is part of an argument, and not a mark. */
  holds({ type, text }: Token): boolean {
    if (this.#json?.inString) return true
    // An argument that is still open at the end of its call makes the call invalid.
    return this.#values > 0 && !(type === 'tag' && text === callTags.get(this.open))
  }

  #followJson(text: string): void {
    for (let from = 0; from < text.length; ) {
      const start = this.#json ? from : findJson(text, from)
      if (start < 0) return
      this.#json ??= new JsonEnd()
      const end = this.#json.find(text, start)
      if (end === undefined) return
      this.#json = undefined
      from = end
    }
  }
}
