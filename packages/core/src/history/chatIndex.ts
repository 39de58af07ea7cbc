import type { ChatMessage, UserMessage } from './chatMessage.ts'

type Question = Extract<ChatMessage, { readonly type: 'question' }>

/** The messages of a growing chat by their keys, so that an event finds its message however long the chat is. */
export class ChatIndex {
  #messages: ChatMessage[]
  readonly #positions = new Map<string, number>()
  /** The keys of the latest questions, by the ids of these. */
  readonly #questions = new Map<string, string>()
  /** The keys of the latest questions for approval, by their calls. */
  readonly #approvals = new Map<string, string>()
  /** The keys of calls that a provider runs, by its ids. */
  readonly #provided = new Map<string, string>()
  readonly #open = new Set<string>()
  /** The keys of the user's messages that no turn has consumed. */
  readonly #pending = new Set<string>()
  /** The interrupted calls that were done, as a user says. */
  readonly #done = new Set<string>()

  constructor(messages: ChatMessage[]) {
    this.#messages = messages
    this.#addFrom(0)
  }

  /** Continues with a copy of the messages. */
  moveTo(copy: ChatMessage[]): this {
    this.#messages = copy
    return this
  }

  has(key: string): boolean {
    return this.#positions.has(key)
  }

  get(key: string): ChatMessage | undefined {
    return this.#messages[this.#positions.get(key) ?? -1]
  }

  question(id: string): Question | undefined {
    return this.#questionAt(this.#questions.get(id))
  }

  approval(call: string): Question | undefined {
    return this.#questionAt(this.#approvals.get(call))
  }

  #questionAt(key = ''): Question | undefined {
    const message = this.get(key)
    return message?.type === 'question' ? message : undefined
  }

  isDone(call: string): boolean {
    return this.#done.has(call)
  }

  provided(id: string): string | undefined {
    return this.#provided.get(id)
  }

  /** Returns the open questions. */
  open(): readonly Question[] {
    return [...this.#open].map((key) => this.get(key)).filter((message) => message?.type === 'question')
  }

  /** Returns the messages of the user that no turn has consumed, newest first, each with its position. */
  pending(): readonly (readonly [number, UserMessage])[] {
    const all = [...this.#pending].reverse().map((key) => [this.#positions.get(key) ?? -1, this.get(key)] as const)
    return all.flatMap(([at, message]) => (message?.type === 'user' ? [[at, message] as const] : []))
  }

  /** Replaces the message with the same key. */
  replace(message: ChatMessage): void {
    const position = this.#positions.get(message.key)
    if (position === undefined) return
    this.#messages[position] = message
    this.#add(message, position)
  }

  push(...messages: readonly ChatMessage[]): void {
    this.insert(this.#messages.length, messages)
  }

  /** Inserts messages. Those behind them are few: they wait for a turn. */
  insert(position: number, messages: readonly ChatMessage[]): void {
    if (messages.length === 0) return
    this.#messages.splice(position, 0, ...messages)
    this.#addFrom(position)
  }

  remove(position: number): void {
    const [removed] = this.#messages.splice(position, 1)
    if (removed) {
      this.#positions.delete(removed.key)
      this.#pending.delete(removed.key)
    }
    this.#addFrom(position)
  }

  #addFrom(position: number): void {
    for (let at = position; at < this.#messages.length; at++) this.#add(this.#messages[at] as ChatMessage, at)
  }

  #add(message: ChatMessage, position: number): void {
    const { key, type } = message
    this.#positions.set(key, position)
    if (type === 'call') {
      const [, id] = key.split(/\/provider\/(.*)/s)
      if (id !== undefined) this.#provided.set(id, key)
    }
    if (type === 'user' && !message.isRead) this.#pending.add(key)
    else if (type === 'user') this.#pending.delete(key)
    if (type !== 'question') return
    const { ask, isOpen, reply } = message
    this.#questions.set(ask.id, key)
    if (ask.kind === 'approval' && ask.call !== undefined) this.#approvals.set(ask.call, key)
    if (isOpen) this.#open.add(key)
    else this.#open.delete(key)
    if (reply === 'done' && ask.about === 'interruption') this.#done.add(ask.call ?? '')
  }
}
