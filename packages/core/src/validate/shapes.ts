import { isObject } from '../json.ts'
import { isId, isTime } from '../options.ts'
import { noUsage } from '../usage.ts'

/*
 * Validators of foreign data, also for the other packages of Interleave. They may change in any release.
 * `@__NO_SIDE_EFFECTS__` lets bundlers drop the shapes that an app does not use.
 */

/** Returns the path to the first invalid member, empty for the data itself; undefined if it is valid. */
export type Shape = (value: unknown) => string | undefined
export type Members = Readonly<Record<string, Shape>>

const when =
  /* @__NO_SIDE_EFFECTS__ */
    (fits: (value: unknown) => boolean): Shape =>
    (value) =>
      fits(value) ? undefined : ''

export const text: Shape = when((value) => typeof value === 'string')
export const data: Shape = when(isObject)
/** JSON of any kind. */
export const json: Shape = when((value) => value !== undefined)
export const count: Shape = when((value) => Number.isSafeInteger(value) && (value as number) >= 0)
/** Milliseconds since the epoch that are a date. */
export const time: Shape = when(isTime)
/** An id that can be a key, and a part of an address and of a file name: well-formed Unicode of limited length. */
export const id: Shape = when((value) => typeof value === 'string' && isId(value))
/** A number from a provider or a clock. JSON has no form for NaN. */
export const amount: Shape = when((value) => typeof value === 'number' || value === null)
export const oneOf = /* @__NO_SIDE_EFFECTS__ */ (...values: readonly unknown[]): Shape =>
  when((value) => values.includes(value))

export const maybe =
  /* @__NO_SIDE_EFFECTS__ */
    (shape: Shape): Shape =>
    (value) =>
      value === undefined ? undefined : shape(value)

export const either =
  /* @__NO_SIDE_EFFECTS__ */
    (first: Shape, second: Shape): Shape =>
    (value) =>
      first(value) === undefined ? undefined : second(value)

export const listOf =
  /* @__NO_SIDE_EFFECTS__ */
    (item: Shape, least = 0): Shape =>
    (value) => {
      if (!Array.isArray(value) || value.length < least) return ''
      for (let index = 0; index < value.length; index++) {
        const wrong = item(value[index])
        if (wrong !== undefined) return below(index, wrong)
      }
      return undefined
    }

/** Creates the shape of a record, whose names are not known beforehand. */
export const recordOf =
  /* @__NO_SIDE_EFFECTS__ */
    (member: Shape): Shape =>
    (value) => {
      if (!isObject(value)) return ''
      for (const key of Object.keys(value)) {
        const wrong = member(value[key])
        if (wrong !== undefined) return below(key, wrong)
      }
      return undefined
    }

/**
 * Members by name, of one list or of several. Others may be there too: a later version may have added them. Lists are passed side by side,
 * and not spread into one: a bundler keeps every spread, because it may call a getter.
 */
/* @__NO_SIDE_EFFECTS__ */
export function shapeOf(...members: readonly Members[]): Shape {
  const entries = Object.entries<Shape>(Object.assign({}, ...members))
  return (value) => {
    if (!isObject(value)) return ''
    for (const [key, member] of entries) {
      const wrong = member(Object.hasOwn(value, key) ? value[key] : undefined)
      if (wrong !== undefined) return below(key, wrong)
    }
    return undefined
  }
}

/** Validates one of several shapes, distinguished by a member. */
export const byName =
  /* @__NO_SIDE_EFFECTS__ */
    (name: string, shapes: Members): Shape =>
    (value) => {
      if (!isObject(value)) return ''
      const kind = value[name]
      return typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind]?.(value) : name
    }

const below = (key: string | number, way: string): string => (way ? `${key}.${way}` : `${key}`)

/** The members of the run's origin. */
export const origin: Members = {
  runId: id,
  agent: text,
  version: text,
  parent: maybe(shapeOf({ runId: id, key: text, depth: count })),
  exposeReasoning: maybe(oneOf(false)),
}

/*
 * The rules for a log, so that every reader can handle it. Data that only the model receives is validated no further than
 * our own code needs: providers add to their parts, and validate what they receive.
 */

const nothing = shapeOf({})
const words = shapeOf({ text })
const yes = maybe(oneOf(true))
const fileData = byName('type', {
  data: shapeOf({ data: text }),
  url: shapeOf({ url: text }),
  reference: shapeOf({ reference: data }),
  text: words,
})
const parts = listOf(byName('type', { text: words, file: shapeOf({ data: fileData }), custom: nothing }))
export const content: Shape = either(text, parts)

export const usage: Shape = shapeOf(Object.fromEntries(Object.keys(noUsage).map((part) => [part, amount])))

export const failure: Shape = shapeOf({ code: text, message: text })

const textValue = shapeOf({ value: text })
const jsonValue = shapeOf({ value: json })
/** A call's result for the model. */
export const result: Shape = byName('type', {
  text: textValue,
  'error-text': textValue,
  json: jsonValue,
  'error-json': jsonValue,
  'execution-denied': nothing,
  content: shapeOf({ value: parts }),
})

export const messages: Shape = listOf(
  byName('role', {
    system: shapeOf({ content: text }),
    user: shapeOf({ content: parts }),
    assistant: shapeOf({ content: listOf(shapeOf({ type: text })) }),
    tool: shapeOf({
      content: listOf(
        byName('type', { 'tool-result': shapeOf({ output: result }), 'tool-approval-response': nothing }),
      ),
    }),
  }),
)

const provided = { toolCallId: text, toolName: text }
/** A part of a turn. */
const part: Shape = byName('type', {
  text: words,
  reasoning: words,
  file: nothing,
  'reasoning-file': nothing,
  custom: nothing,
  source: nothing,
  'tool-call': shapeOf(provided, { input: json, invalid: maybe(text) }),
  'tool-result': shapeOf(provided),
  'tool-approval-request': shapeOf({ approvalId: text, toolCallId: text }),
})

const about = { description: maybe(text), detail: maybe(text), badge: maybe(text) }
const options = listOf(shapeOf({ value: text, label: text }, about))
const from = maybe(shapeOf({ runId: text, agent: text, via: maybe(listOf(text)) }))
const asked = {
  id: text,
  prompt: text,
  call: maybe(text),
  from,
  asker: maybe(text),
  about: maybe(oneOf('interruption')),
  declinable: yes,
}
const limited = { limit: text, used: amount, allowed: amount }
const extension = shapeOf(asked, limited, { suggested: amount })
const approval = shapeOf(
  asked,
  { tool: text, input: json, schema: data, agent: maybe(text), readOnly: yes },
  {
    description: maybe(text),
    remember: maybe(oneOf('never', 'input')),
    rememberBy: maybe(listOf(text)),
    persistent: yes,
  },
)
const scope = oneOf('tool', 'input')
/** A permission for later calls. */
export const permission: Shape = shapeOf({ id: text, scope, ask: approval, input: json, at: time })
export const ask: Shape = byName('kind', {
  choice: shapeOf(asked, { options, pageFor: maybe(text) }),
  choices: shapeOf(asked, { options, min: amount, max: amount }),
  confirm: shapeOf(asked),
  text: shapeOf(asked),
  form: shapeOf(asked, { schema: data }),
  link: shapeOf(asked, { url: text }),
  approval,
  extension,
})

export const signal: Shape = byName('type', {
  answer: shapeOf({ reason: text }),
  inputNeeded: shapeOf({ asks: listOf(ask, 1) }),
  limitReached: shapeOf(limited, { ask: extension }),
  failed: shapeOf({ error: failure }),
  stopped: shapeOf({ reason: text, cause: maybe(oneOf('imported')) }),
})

export const model: Shape = shapeOf({ provider: text, modelId: text })
/** The result and error of a call, if present. */
export const outcome: Members = { result: maybe(result), error: maybe(failure), final: yes, resumes: yes }
export const said: Members = { by: oneOf('user', 'agent'), content, key: maybe(text), replaces: maybe(count) }
export const drafted: Shape = shapeOf({ text, reasoning: text })
export const thought: Members = {
  model,
  parts: listOf(part),
  usage,
  ms: amount,
  finish: maybe(data),
  warnings: maybe(listOf(json)),
  providerMetadata: maybe(data),
  error: maybe(failure),
}
export const notes: Shape = recordOf(json)

const call = { call: text }
/** Every event, without its stamp. */
export const event: Shape = byName('type', {
  started: shapeOf(origin, { forkedFrom: maybe(shapeOf({ runId: text, seq: count, alone: yes })) }),
  seeded: shapeOf({ messages }),
  said: shapeOf(said),
  drafted,
  thought: shapeOf(thought, { readUntil: count }),
  claimed: shapeOf(call, outcome, { prompt: maybe(text) }),
  released: shapeOf(call),
  effectBegun: shapeOf(call, { name: text }),
  observed: shapeOf(call, outcome, { result, ms: amount }),
  amended: shapeOf(outcome, { target: either(count, text), reason: text, content: maybe(content) }),
  asked: shapeOf({ ask }),
  replied: shapeOf({ ask: text, value: json, prompt: maybe(text), awaited: yes }),
  withdrawn: shapeOf({ ask: text }),
  permitted: shapeOf({ ask: approval, by: text, persistent: maybe(shapeOf({ scope, at: time })) }),
  revoked: shapeOf({ id: text }),
  compacted: shapeOf({ messages, keep: count }),
  noted: shapeOf({ key: text, value: json, call: maybe(text), usage: maybe(usage) }),
  resumed: nothing,
  imported: nothing,
  settled: shapeOf({ signal }),
})

/** Validates a foreign live event. */
export const liveEvent: Shape = byName('type', {
  thinking: shapeOf({ iteration: count, readUntil: maybe(count) }),
  delta: shapeOf({ kind: oneOf('text', 'reasoning', 'input'), delta: text, id: maybe(text), tool: maybe(text) }),
  progressed: shapeOf({ call: text, output: json }),
  retrying: shapeOf({ attempt: count, inMs: amount, error: failure, model }),
  saving: shapeOf({ trouble: maybe(shapeOf({ attempt: count, inMs: amount })) }),
  dropped: shapeOf({ call: text }),
  rewound: shapeOf({ to: count }),
  owned: shapeOf({ by: oneOf('here', 'elsewhere', 'nobody') }),
})
