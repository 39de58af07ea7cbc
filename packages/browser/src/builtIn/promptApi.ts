/** The part of the browser's Prompt API that is used here, in the shape of Chrome 148. It is in windows only, not in workers. */
export interface PromptApi {
  availability(options?: SessionOptions): PromiseLike<unknown>
  create(options?: CreateOptions): PromiseLike<PromptSession>
}

interface SessionOptions {
  readonly expectedInputs?: readonly Expected[]
  readonly expectedOutputs?: readonly Expected[]
}

interface Expected {
  readonly type: 'text'
  readonly languages: readonly string[]
}

export interface CreateOptions extends SessionOptions {
  readonly initialPrompts?: readonly PromptMessage[]
  readonly signal?: AbortSignal
  readonly monitor?: (monitor: EventTarget) => void
}

export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

interface PromptOptions {
  /** A JSON schema that the answer matches. */
  readonly responseConstraint?: object
  /** True if the model is not shown the schema. */
  readonly omitResponseConstraintInput?: boolean
  readonly signal?: AbortSignal
}

/** One session. Before Chrome 148, tokens were counted by the names in the second half. */
export interface PromptSession {
  promptStreaming(input: string, options?: PromptOptions): ReadableStream<string>
  destroy(): void
  readonly contextUsage?: number
  readonly contextWindow?: number
  measureContextUsage?(input: string, options?: PromptOptions): PromiseLike<number>
  readonly inputUsage?: number
  readonly inputQuota?: number
  measureInputUsage?(input: string, options?: PromptOptions): PromiseLike<number>
}

/** Returns the browser's Prompt API, or undefined where there is none. */
export function promptApi(): PromptApi | undefined {
  const found: unknown = Reflect.get(globalThis, 'LanguageModel')
  return typeof Object(found).create === 'function' && typeof Object(found).availability === 'function'
    ? (found as PromptApi)
    : undefined
}

/** Returns the options that `availability` and `create` must agree on. */
export const sessionOptions = (languages: readonly string[] | undefined): SessionOptions =>
  languages ? { expectedInputs: [{ type: 'text', languages }], expectedOutputs: [{ type: 'text', languages }] } : {}

/** Returns the tokens that a session holds, if the browser counts them. */
export const usedBy = ({ contextUsage, inputUsage }: PromptSession): number | undefined =>
  count(contextUsage ?? inputUsage)

/** Returns the tokens that a session can hold. Browsers report `Infinity` if there is no limit. */
export const windowOf = ({ contextWindow, inputQuota }: PromptSession): number =>
  count(contextWindow ?? inputQuota) ?? Number.POSITIVE_INFINITY

/** Returns the tokens that a prompt would add to a session, if the browser counts them. */
export async function measure(
  session: PromptSession,
  input: string,
  options: PromptOptions,
): Promise<number | undefined> {
  if (session.measureContextUsage) return count(await session.measureContextUsage(input, options))
  return count(await session.measureInputUsage?.(input, options))
}

/** Ends a session. A session that cannot be ended is no longer used, and its failure does not affect the turn. */
export function destroy(session: PromptSession): void {
  try {
    session.destroy()
  } catch {}
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.ceil(value) : undefined
