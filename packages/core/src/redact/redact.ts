import { checkArgument, checkOptions, checkStore, DEV } from '#checks'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import { type ChangingJournal, decorateJournal, type Journal } from '../journal.ts'
import { depthOf, isObject, jsonIn } from '../json.ts'
import { assertOption } from '../options.ts'
import type { Listener } from '../run.ts'
import type { JsonSchema } from '../schema.ts'
import { atTop, below, type FoundSecret, inData, isMark, Marks, ObjectResults, type Place } from './marks.ts'
import { isSecretName, markedNames, secretPatterns } from './secrets.ts'

export interface Redacted<T> {
  readonly value: T
  readonly found: readonly FoundSecret[]
}

/**
 * Removes secrets from events, a state or a run file: keys and tokens of known shapes, logins in addresses and headers,
 * members whose name or schema marks them as secret, and the same secret wherever else it occurs. The result is as
 * valid as the input. In other data every member is judged by its name. It cannot find a secret that looks like an
 * ordinary word.
 */
export function redact<T>(data: T, options: RedactOptions = {}): Redacted<T> {
  const redactor = new Redactor(options)
  checkDepth(data, maxLevels)
  const value = isLogged(data) ? redactor.redact(data) : redactor.redact({ data }).data
  return { value, found: redactor.found() }
}

/** The maximum depth of the data. That of a run file is the same. */
const maxLevels = 100

/** Throws for data that would exhaust the stack. */
function checkDepth(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  if (levels < 0) throw new AgentError('json_invalid', tooDeep)
  for (const member of Object.values(value)) checkDepth(member, levels - 1)
}

const tooDeep = `Give redact() data of at most ${maxLevels} levels that does not refer to itself.`

/** Returns true for log data, whose own members are not foreign data: events, states, run files, and lists of them. */
function isLogged(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(isLogged)
  return isObject(data) && ['seq', 'runId', 'events'].some((member) => Object.hasOwn(data, member))
}

/** Wraps an observer so that it receives everything without secrets, and streamed text once it is complete. */
export function redacting(observer: Listener, options: RedactOptions = {}): Listener {
  checkArgument(observer, 'observer of redacting()', 'a function')
  const redactor = new Redactor(options)
  return (event, state) => {
    if (!isDelta(event)) observer(...redactor.redact([withoutDraft(event), withoutDraft(state)] as const))
  }
}

/** The number of runs to remember. For a forgotten run, only secrets known by a member's name are forgotten. */
const mostRuns = 1_000

/**
 * Wraps a journal so that it receives everything without secrets. A running run still knows them; a run that resumes
 * from the journal does not: its open calls and its model get marks instead. A turn that is cut off is stored once it
 * is complete, not partially.
 */
export function redactingJournal(journal: Journal, options: RedactOptions = {}): Journal {
  checkStore(journal, 'redactingJournal()')
  // Invalid options throw here, and not with the first write.
  new Redactor(options)
  const redactors = new Map<string, Redactor>()
  const redactorOf = (runId: string): Redactor => {
    const redactor = redactors.get(runId) ?? new Redactor(options)
    redactors.delete(runId)
    redactors.set(runId, redactor)
    const [oldest] = redactors.keys()
    if (redactors.size > mostRuns && oldest !== undefined) redactors.delete(oldest)
    return redactor
  }
  const inner: Journal & Partial<ChangingJournal> = journal
  const redactedOf = (runId: string, events: readonly Event[]): readonly Event[] =>
    redactorOf(runId).redact(events.map(withoutDraft))
  return decorateJournal(journal, () => ({
    append: (runId, events, append) => journal.append(runId, redactedOf(runId, events), append),
    stored(runId, events) {
      const redacted = redactedOf(runId, events)
      return inner.stored?.(runId, redacted) ?? redacted
    },
    delete(runId) {
      redactors.delete(runId)
      return journal.delete(runId)
    },
  }))
}

/** Returns true for a delta of streaming text, which may contain part of a secret. */
const isDelta = (event: unknown): boolean => typeOf(event) === 'delta'

/** Returns an event or a state without the streamed part of a turn, which may end in the middle of a secret. */
function withoutDraft<T>(given: T): T {
  if (typeOf(given) === 'drafted') return { ...given, text: '', reasoning: '' }
  const isState = typeof given === 'object' && given !== null && 'history' in given
  return isState ? { ...given, draft: undefined, drafted: undefined } : given
}

const typeOf = (given: unknown): unknown => (Object(given) as { type?: unknown }).type

/** Redacts successive data: it remembers the secrets that it found. */
export class Redactor {
  readonly #marks = new Marks()
  readonly #results = new ObjectResults()
  readonly #searched = new WeakSet<object>()
  /** The names that schemas mark as secret. */
  readonly #marked: Set<string>
  readonly #fields: NonNullable<RedactOptions['fields']>
  readonly #shapes: readonly { readonly kind: string; readonly pattern: RegExp }[]
  readonly #prompts: boolean | undefined
  /** True once the secrets are known. Until then it searches for them. */
  #isKnown = false

  constructor(options: RedactOptions = {}) {
    checkOptions('redact()', options, ['fields', 'patterns', 'schemas', 'prompts'])
    const { fields = [], patterns = [], schemas = [], prompts } = options
    const areFields = fields.every((field) => typeof field === 'string' || isPattern(field))
    assertOption(areFields, DEV && '`fields` of redact() must be names or regular expressions, such as /token/i.')
    assertOption(
      patterns.every(isPattern),
      DEV && '`patterns` of redact() must be regular expressions, such as /[A-Z]{3}-\\d+/.',
    )
    assertOption(schemas.every(isObject), DEV && '`schemas` of redact() must be JSON Schemas, as objects.')
    this.#fields = fields
    this.#marked = new Set(schemas.flatMap((schema) => [...markedNames(schema)]))
    this.#shapes = [...secretPatterns, ...patterns.map((pattern) => ({ kind: 'pattern', pattern: anywhere(pattern) }))]
    this.#prompts = prompts
  }

  found(): readonly FoundSecret[] {
    return this.#marks.found()
  }

  redact<T>(given: T): T {
    const marks = this.#marks
    this.#results.begin()
    for (const name of markedIn(given, this.#searched)) this.#marked.add(name)
    const whole = this.#prompts === false ? (omitPrompts(given) as T) : given
    // Twice: a text may contain a secret before the member whose name reveals it.
    const before = marks.found()
    this.#redactValue(whole, atTop)
    if (marks.size === 0) return whole
    marks.recount(before)
    this.#isKnown = true
    const value = this.#redactValue(whole, atTop) as T
    this.#isKnown = false
    return value
  }

  #redactValue(value: unknown, place: Place): unknown {
    const marks = this.#marks
    if (typeof value === 'string') return this.#redactText(value, place)
    if (typeof value === 'number') return place.field === undefined ? value : marks.of(String(value), place.field)
    if (typeof value !== 'object' || value === null) return value
    const names = this.#marked.size
    const before = this.#results.of(value, { place, names, secrets: this.#isKnown ? marks.size : undefined })
    if (before) return before.value
    const after = Array.isArray(value) ? this.#redactList(value, place) : this.#redactObject(value, place)
    // During the search, known secrets stay in place.
    const secrets = this.#isKnown || marks.size === 0 ? marks.size : undefined
    this.#results.add(value, { place, names: this.#marked.size, secrets }, after)
    return after
  }

  #redactText(text: string, place: Place): string {
    if (place.isOurs) return text
    if (place.field !== undefined) return text === '' || isMark(text) ? text : this.#marks.of(text, place.field)
    const parsed = structureIn(text)
    const cleared = parsed && this.#redactValue(parsed, inData)
    return this.#inText(cleared === parsed ? text : JSON.stringify(cleared, null, text.includes('\n') ? 2 : undefined))
  }

  #redactList(list: readonly unknown[], place: Place): unknown {
    const [name, value] = list
    const isHeader = place.isData && list.length === 2 && typeof name === 'string' && typeof value === 'string'
    if (isHeader && this.#isSecret(name))
      return [name, this.#redactValue(value, below(place, { key: name, isSecret: true }))]
    return unlessSame(
      list,
      list.map((item) => this.#redactValue(item, place)),
    )
  }

  #redactObject(object: object, place: Place): unknown {
    const named = place.isData ? nameIn(object) : undefined
    const entries = Object.entries(object).map(([key, member]): [string, unknown] => {
      const name = key === 'value' && named !== undefined ? named : key
      const at = below(place, { key, isSecret: place.isData && this.#isSecret(name) })
      return [place.isData ? this.#inText(key) : key, this.#redactValue(member, at)]
    })
    return unlessSame(object, Object.fromEntries(entries))
  }

  #isSecret(name: string): boolean {
    return this.#marked.has(name) || isSecretName(name) || this.#fields.some((field) => fits(field, name))
  }

  #inText(text: string): string {
    let rest = text
    for (const { kind, pattern } of this.#shapes)
      rest = rest.replace(pattern, (...match) => this.#replaced(match, kind))
    return this.#isKnown ? this.#marks.clear(rest) : rest
  }

  #replaced(match: readonly unknown[], kind: string): string {
    const whole = String(match[0])
    const { secret = whole, passed } = Object(match.at(-1)) as { secret?: string; passed?: string }
    if (passed !== undefined) return whole
    const at = whole.lastIndexOf(secret)
    if (secret.includes('[redacted: ')) return whole
    return whole.slice(0, at) + this.#marks.of(secret, kind) + whole.slice(at + secret.length)
  }
}

/** Returns the name of an item, for headers as lists of names and values. */
function nameIn(object: object): string | undefined {
  const { name, key, header, value } = object as Readonly<Record<string, unknown>>
  const label = name ?? key ?? header
  return typeof label === 'string' && typeof value === 'string' ? label : undefined
}

/** Yields names that schemas in the log mark as secret, and searches no object twice. */
function* markedIn(value: unknown, searched: WeakSet<object>): Generator<string> {
  if (typeof value !== 'object' || value === null || searched.has(value)) return
  searched.add(value)
  for (const [key, member] of Object.entries(value)) {
    if (key === 'schema') yield* markedNames(member)
    else yield* markedIn(member, searched)
  }
}

/** Returns the original object if nothing in it changed. */
function unlessSame(before: object, after: object): object {
  const [was, is] = [before, after] as Readonly<Record<string, unknown>>[]
  const keys = Object.keys(before)
  const isSame = keys.length === Object.keys(after).length && keys.every((key) => is?.[key] === was?.[key])
  return isSame ? before : after
}

/** The maximum depth of JSON in a text. Deeper JSON, which no log has, counts as text: it would exhaust the stack. */
const maxDepth = 100

const structureIn = (text: string): object | undefined =>
  /^\s*[[{]/.test(text) && depthOf(text) <= maxDepth ? (jsonIn(text) as object | undefined) : undefined

/** Returns true for a regular expression, also of another frame. */
const isPattern = (value: unknown): value is RegExp => typeof Object(value).flags === 'string'
const fits = (field: string | RegExp, name: string): boolean =>
  typeof field === 'string' ? field === name : new RegExp(field.source, field.flags.replace(/[gy]/g, '')).test(name)
const anywhere = ({ source, flags }: RegExp): RegExp => new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)

export interface RedactOptions {
  /** The names of further members that hold secrets. */
  readonly fields?: readonly (string | RegExp)[]
  /** Patterns of further secrets. If only a part of a match is secret, the group `secret` names it. */
  readonly patterns?: readonly RegExp[]
  /** Schemas whose members with `format: 'password'`, `writeOnly` or `sensitive` are secret, besides those in the log. */
  readonly schemas?: readonly JsonSchema[]
  /** Also omits the content sent to the model. */
  readonly prompts?: false
}

const omitted = '[left out]'

/** Removes the content sent to the model: messages of users and steps, earlier conversations, summaries. */
function omitPrompts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitPrompts)
  if (typeof value !== 'object' || value === null) return value
  const event = value as Readonly<Record<string, unknown>>
  switch (event.type) {
    case 'said':
      // An empty message withdraws another.
      return event.content === '' ? event : { ...event, content: omitted }
    case 'seeded':
    case 'compacted':
      return { ...event, messages: Array.isArray(event.messages) ? event.messages.map(withoutWords) : [] }
    case 'amended':
      return 'content' in event ? { ...event, content: omitted } : event
    default:
      return isEvent(event)
        ? event
        : Object.fromEntries(Object.entries(event).map(([key, member]) => [key, omitPrompts(member)]))
  }
}

const isEvent = ({ seq, type }: Readonly<Record<string, unknown>>): boolean =>
  typeof seq === 'number' && typeof type === 'string'

/** Returns a message with its role and position, but without content. */
function withoutWords(message: unknown): unknown {
  const { role, content } = Object(message) as { role?: unknown; content?: unknown }
  if (role === 'system') return { role, content: omitted }
  const parts = (Array.isArray(content) ? content : []).filter(
    ({ type }) => type !== 'text' && type !== 'file' && type !== 'reasoning',
  )
  return { role, content: role === 'tool' ? parts : [{ type: 'text', text: omitted }, ...parts] }
}
