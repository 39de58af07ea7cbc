import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { assertOption, checkArgument, checkOptions, isObject, isPlain } from '@interleave/core/internal'

/**
 * One turn of a scripted model: a text, calls of tools, both, a list of stream parts as a provider sends them, or an
 * error to fail with. A function gets the call and returns one of these.
 */
export type ScriptedTurn =
  | string
  | ScriptedReply
  | readonly LanguageModelV4StreamPart[]
  | Error
  | ((call: LanguageModelV4CallOptions) => ScriptedTurn | Promise<ScriptedTurn>)

export interface ScriptedReply {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[]
  readonly usage?: { readonly input?: number; readonly output?: number }
}

export interface ScriptedModel extends LanguageModelV4 {
  /** A copy of each call's options. */
  readonly calls: readonly LanguageModelV4CallOptions[]
}

/** Creates a model that plays one turn per call, and fails after the last one. A single function answers every call. */
export function scriptedModel(...turns: readonly ScriptedTurn[]): ScriptedModel {
  for (const turn of turns) checkTurn(turn)
  const calls: LanguageModelV4CallOptions[] = []
  const take = async (call: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamPart[]> => {
    const number = calls.length
    const { abortSignal: _, ...data } = call
    calls.push(copyOf(data, calls.at(-1)))
    const [only] = turns
    const turn = turns.length === 1 && typeof only === 'function' ? only : turns[number]
    if (turn === undefined)
      throw new Error(`The script has ${turns.length} turns, and turn ${number + 1} was asked for.`)
    return toParts(turn, call, number)
  }
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    calls,
    doStream: async (call) => ({ stream: toStream(await take(call)) }),
    doGenerate: () => Promise.reject(new Error('A scripted model only streams.')),
  }
}

/** Throws for what is no turn. What a reply does not have would otherwise be missing without a word. */
function checkTurn(turn: unknown): void {
  checkArgument(turn, 'turn of scriptedModel()', 'a string or a list or an object or a function')
  if (Array.isArray(turn)) {
    const isStream = turn.every((part) => typeof Object(part).type === 'string')
    assertOption(
      isStream,
      'scriptedModel() takes its turns one by one: scriptedModel(...turns). A list is the parts of one.',
    )
  } else if (isObject(turn) && !(turn instanceof Error)) {
    checkOptions('scriptedModel()', turn, ['reasoning', 'text', 'calls', 'usage'], {
      content: 'use `text`',
      toolCalls: 'use `calls`',
    })
    for (const call of (turn as ScriptedReply).calls ?? []) checkCall(call)
  }
}

function checkCall(call: unknown): void {
  const owner = 'scriptedModel({ calls })'
  const { name, args }: { readonly name?: unknown; readonly args?: unknown } = Object(call)
  assertOption(typeof name === 'string' && name, `${owner} needs a \`name\`, such as { name: "search", input: {} }.`)
  assertOption(args === undefined, `${owner} has no option \`args\`. Instead, use \`input\`.`)
}

/**
 * Copies lists and plain objects, and reuses the previous copy of unchanged parts: a prompt repeats the earlier ones.
 * Addresses are URL objects, which `structuredClone` rejects.
 */
function copyOf<T>(value: T, before: unknown): T {
  if (!isData(value)) return value
  if (isSame(value, before)) return before as T
  const last = membersOf(before)
  if (Array.isArray(value)) return value.map((item, index) => copyOf(item, last[index])) as T
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyOf(member, last[key])])) as T
}

/** Returns true if two values have the same content, in the same order. */
function isSame(value: unknown, other: unknown): boolean {
  if (!isData(value) || !isData(other) || Array.isArray(value) !== Array.isArray(other)) return Object.is(value, other)
  const [keys, others] = [Object.keys(value), Object.keys(other)]
  const [mine, theirs] = [membersOf(value), membersOf(other)]
  return keys.length === others.length && keys.every((key, at) => key === others[at] && isSame(mine[key], theirs[key]))
}

const isData = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || isPlain(value))

const membersOf = (value: unknown): Readonly<Record<PropertyKey, unknown>> => Object(value)

async function toParts(
  turn: ScriptedTurn,
  call: LanguageModelV4CallOptions,
  number: number,
): Promise<LanguageModelV4StreamPart[]> {
  if (typeof turn === 'function') {
    const next = await turn(call)
    checkTurn(next)
    return toParts(next, call, number)
  }
  if (turn instanceof Error) throw turn
  if (Array.isArray(turn)) return [...turn]
  return [...replyParts(typeof turn === 'string' ? { text: turn } : (turn as ScriptedReply), number)]
}

function* replyParts(
  { reasoning, text, calls = [], usage }: ScriptedReply,
  number: number,
): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if (reasoning !== undefined) yield* block('reasoning', reasoning)
  if (text !== undefined) yield* block('text', text)
  for (const [index, { name, input, id = `call-${number}-${index}` }] of calls.entries()) {
    const json = typeof input === 'string' ? input : JSON.stringify(input === undefined ? {} : input)
    yield { type: 'tool-input-start', id, toolName: name }
    yield { type: 'tool-input-delta', id, delta: json }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName: name, input: json }
  }
  const unified = calls.length > 0 ? 'tool-calls' : 'stop'
  yield { type: 'finish', finishReason: { unified, raw: unified }, usage: usageOf(usage) }
}

/** Yields a block word by word, as providers stream. */
function* block(type: 'text' | 'reasoning', text: string): Generator<LanguageModelV4StreamPart> {
  const id = `${type}-0`
  yield { type: `${type}-start`, id }
  for (const delta of text.match(/(?<!\s)\s*\S+(?:\s+$)?/g) ?? (text ? [text] : []))
    yield { type: `${type}-delta`, id, delta }
  yield { type: `${type}-end`, id }
}

const usageOf = ({ input = 10, output = 5 }: ScriptedReply['usage'] = {}): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
})

function toStream(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  return new ReadableStream({
    pull(stream) {
      const part = parts[next++]
      if (part) stream.enqueue(part)
      else stream.close()
    },
  })
}
