import type { InvalidCall, TextAction, TextEvent } from '../textEvent.ts'
import { isBlank, isSpace } from './characters.ts'
import type { Dialect } from './dialect.ts'
import type { Label } from './label.ts'
import type { Quotes } from './quotes.ts'
import type { Token } from './scanner.ts'

/** A reader of tokens. It is resumed with each token, and with undefined when the text is over. */
export type Reading<Result> = Generator<undefined, Result, Token | undefined>

/** Reads one part of a step, such as the input of an action, and returns whether the step is complete. */
export type Part = Reading<'done' | undefined>

/** Returns whether a field of a tool takes a string and nothing else. */
export type IsText = (tool: string, field: string) => boolean

export interface StepOptions {
  readonly dialect: Dialect
  /** The names of the tools, if they are known. */
  readonly tools: readonly string[] | undefined
  readonly isText: IsText
  /** Distinguishes thoughts from quotations. */
  readonly quotes: Quotes
}

/** One step while it is read: the tokens to read again, the results, and the state that its parts share. */
export class Step {
  readonly out: Outbox = new Outbox()
  readonly dialect: Dialect
  readonly tools: readonly string[] | undefined
  readonly isText: IsText
  readonly quotes: Quotes
  /** True if the whole step is in a code fence. */
  isFenced = false
  /** True if there was text that is not reasoning between tags. */
  hasProse = false
  /** True if there was a label. */
  isLabelled = false
  /** True while an observation is skipped. */
  isSkipping = false
  /** True if the step is a thought and nothing else, which its dialect allows. */
  isThoughtAlone = false
  /** Tokens to read again; the next one is the last. */
  readonly #unread: Token[] = []
  #isOver = false

  constructor({ dialect, tools, isText, quotes }: StepOptions) {
    this.dialect = dialect
    this.tools = tools
    this.isText = isText
    this.quotes = quotes
  }

  /** Returns the next token; undefined when the text is over. */
  *next(): Reading<Token | undefined> {
    const known = this.#unread.pop()
    if (known || this.#isOver) return known
    const token = yield
    this.#isOver = token === undefined
    return token
  }

  /** Puts a token back, to be read next. */
  unread(token: Token | undefined): undefined {
    if (token && token.text !== '') this.#unread.push(token)
  }

  unreadAll(tokens: readonly Token[]): undefined {
    for (const token of tokens.toReversed()) this.unread(token)
  }

  /** Reads plain text ahead until it is enough, and puts it back. Returns the text, without white space before it, and the mark that cut it. */
  *peek(isEnough: (text: string) => boolean): Reading<{ readonly text: string; readonly mark?: Token | undefined }> {
    const held: Token[] = []
    let text = ''
    let token = yield* this.next()
    for (; token; token = yield* this.next()) {
      held.push(token)
      if (token.type !== 'text') break
      text += text === '' ? token.text.trimStart() : token.text
      if (isEnough(text)) break
    }
    this.unreadAll(held)
    return { text, mark: token?.type === 'text' ? undefined : token }
  }

  /** Reads plain text up to the index that `endIn` finds in a token; -1 if there is none. */
  *readText(endIn: (text: string) => number): Reading<string> {
    for (let read = ''; ; ) {
      const token = yield* this.next()
      const end = token?.type === 'text' ? endIn(token.text) : 0
      if (!token || end >= 0) {
        this.unread(token && end > 0 ? textFrom(token, end) : token)
        return read + (token?.text.slice(0, end) ?? '')
      }
      read += token.text
    }
  }

  think(text: string): undefined {
    if (this.isSkipping) return
    this.quotes.read(text)
    this.hasProse ||= !isBlank(text)
    this.out.thought(text)
  }

  /** Ends the step with a problem, unless it has a result. */
  refuse(message: string): 'done' {
    if (!this.out.hasResult) this.out.problem(message)
    return 'done'
  }

  refuseObservation(): 'done' {
    return this.refuse('You wrote an observation yourself. Write one action and stop there: then it will be observed.')
  }

  /** Ends the step. Without a usable result, the problem describes what to write. */
  close(): void {
    const { out, dialect } = this
    const isUsable = out.hasResult || out.hasProblem || this.isThoughtAlone
    if (!isUsable) out.problem(`There is no step in what you wrote. Write ${dialect.expects}.`)
    out.close()
  }
}

export const textToken = (text: string): Token => ({ type: 'text', text })

/** Returns a token of text without its beginning. */
export const textFrom = (token: Token, from: number): Token => ({
  ...(token.type === 'text' && token),
  type: 'text',
  text: token.text.slice(from),
})

/** Returns true if a token ends with the label of an invented observation, in the model's own spelling. */
export const isOwnObservation = (token: Token): boolean => token.type === 'text' && token.isObservation === true

export const isLabel = (token: Token, label: Label): boolean => token.type === 'label' && token.label === label

/** Collects the events of one step. Thoughts and answers lose the white space around them; neighbors in a batch are joined. */
class Outbox {
  #events: TextEvent[] = []
  #refused: InvalidCall[] = []
  readonly #found = new Set<TextEvent['type']>()
  readonly thought: (text: string) => void = trimmer((delta) => this.#add({ type: 'thought', delta }))
  readonly #answer = trimmer((delta) => this.#add({ type: 'finish', delta }))
  isClosed = false

  get hasResult(): boolean {
    return this.#found.has('action') || this.hasAnswer
  }
  get hasAnswer(): boolean {
    return this.#found.has('finish')
  }
  get hasProblem(): boolean {
    return this.#found.has('problem') || this.#refused.length > 0
  }

  finish(text: string): void {
    // An empty answer is still an answer.
    if (!this.hasAnswer) this.#add({ type: 'finish', delta: '' })
    this.#answer(text)
  }
  action(action: TextAction): void {
    for (const call of this.#refused) this.#add({ type: 'invalid', ...call })
    this.#refused = []
    this.#add({ type: 'action', ...action })
  }
  /** Adds a call that cannot be read. If no call can, the first becomes the problem. */
  invalid(text: string, message: string): void {
    if (this.#found.has('action')) this.#add({ type: 'invalid', text, message })
    else this.#refused.push({ text, message })
  }
  problem(message: string): void {
    this.#add({ type: 'problem', message })
  }
  close(): void {
    const [first] = this.#refused
    if (first && !this.hasResult && !this.#found.has('problem')) this.problem(first.message)
    this.isClosed = true
  }
  /** Returns the events since the last call. */
  collect(): readonly TextEvent[] {
    const batch = this.#events
    this.#events = []
    return joinNeighbors(batch)
  }

  #add(event: TextEvent): void {
    if (this.isClosed) return
    this.#found.add(event.type)
    this.#events.push(event)
  }
}

/** Holds white space back until something follows it. */
function trimmer(emit: (text: string) => void): (text: string) => void {
  let hasBegun = false
  let space: string[] = []
  return (text) => {
    let end = text.length
    while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
    if (end > 0) {
      let start = 0
      while (!hasBegun && isSpace(text.charCodeAt(start))) start++
      for (const held of space) emit(held)
      emit(text.slice(start, end))
      space = []
      hasBegun = true
    }
    if (hasBegun && end < text.length) space.push(text.slice(end))
  }
}

function joinNeighbors(events: readonly TextEvent[]): readonly TextEvent[] {
  const joined: TextEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    if ('delta' in event && last && 'delta' in last && last.type === event.type)
      joined[joined.length - 1] = { ...event, delta: last.delta + event.delta }
    else joined.push(event)
  }
  return joined
}
