import type { Json } from '@interleave/core'
import type { TextAction } from '../textEvent.ts'
import { readMarkedCall } from './calledJson.ts'
import { findJson, isBlank } from './characters.ts'
import { JsonEnd } from './json.ts'
import { readJson } from './mendJson.ts'
import type { IsText } from './step.ts'

/** A segment of the body of a call. */
type TagSegment =
  | { readonly type: 'call'; readonly call: TextAction }
  | { readonly type: 'invalid'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }

/** Reads the body of a call: JSON values, or a name with its arguments. Every segment of it is in the result. */
export function readTagCalls(tag: string, body: string, isText: IsText): readonly TagSegment[] {
  const text = body.trim()
  if (tag === '<function=' || tag === '<invoke name=') return readFunction(text, isText)
  const segments = readNamed(text, isText) ?? readValues(text)
  return segments.some(({ type }) => type !== 'text') ? segments : [{ type: 'invalid', text }]
}

/** Reads `search>{"query": "Paris"}` or `search><parameter=query>Paris</parameter>`. */
function readFunction(text: string, isText: IsText): readonly TagSegment[] {
  const end = text.indexOf('>')
  const tool = text.slice(0, Math.max(end, 0)).replaceAll(/["'/]/g, '').trim()
  if (tool === '') return [{ type: 'invalid', text }]
  return readArguments(tool, text.slice(end + 1).trim(), isText) ?? [{ type: 'invalid', text }]
}

/** Matches the name of a tool, the marks around it, and the separator before its arguments. */
const header =
  /^(?:function<｜tool▁sep｜>|functions\.)?([\p{L}_][\p{L}\p{N}_./-]{0,127})(?::\d{1,9})?\s{0,8}(?:\[CALL_ID\][\w-]{1,64})?(?:<｜tool▁sep｜>|<\|tool_call_argument_begin\|>|\[ARGS\])?\s{0,8}(?:```\w{0,8}\s)?\s{0,8}(?=[{<]|$)/u

/** Reads `search{"query": "Paris"}`, or `search` and arguments in tags of their own. */
function readNamed(text: string, isText: IsText): readonly TagSegment[] | undefined {
  const [head, tool = ''] = header.exec(text) ?? []
  return head === undefined ? undefined : readArguments(tool, text.slice(head.length).replace(/\s```$/, ''), isText)
}

function readArguments(tool: string, body: string, isText: IsText): readonly TagSegment[] | undefined {
  if (body === '') return [{ type: 'call', call: { tool, input: {} } }]
  if (!body.startsWith('{')) return readTaggedArguments(tool, body, isText)
  const end = new JsonEnd().find(body) ?? body.length
  const reading = readJson(body.slice(0, end))
  return reading && [{ type: 'call', call: { tool, input: reading.value } }, ...textSegment(body.slice(end))]
}

/** A notation of arguments in tags of their own. The name and the value are between two of these tags. */
interface Notation {
  readonly open: string
  readonly marks: RegExp
  readonly field: RegExp
}
const parameters: Notation = {
  open: '<parameter',
  marks: /<parameter|<\/parameter>/g,
  field: /^\s{0,8}(?:name\s{0,8})?(?:=\s{0,8})?["']?([^\s>"'][^>"']{0,255})(?:["']\s{0,8})?>(.*)$/s,
}
const keysAndValues: Notation = {
  open: '<arg_key>',
  marks: /<arg_key>|<\/arg_value>/g,
  field: /^([^<]{1,256})<\/arg_key>\s{0,8}<arg_value>(.*)$/s,
}

/** Reads arguments in tags. Undefined if one is not closed, or if there is none. */
function readTaggedArguments(tool: string, body: string, isText: IsText): readonly TagSegment[] | undefined {
  const { open, marks, field } = body.startsWith('<arg_key>') ? keysAndValues : parameters
  const input: Record<string, Json> = {}
  const rest: string[] = []
  let from = 0
  let depth = 0
  for (const { 0: mark, index } of body.matchAll(marks)) {
    if (mark === open) {
      if (depth++ > 0) continue
      rest.push(body.slice(from, index))
      from = index + mark.length
    } else if (depth > 0 && --depth === 0) {
      const [, written = '', value = ''] = field.exec(body.slice(from, index)) ?? []
      const key = written.trim()
      if (key === '' || key === '__proto__' || Object.hasOwn(input, key)) return undefined
      input[key] = isText(tool, key) ? value.trim() : readValue(value)
      from = index + mark.length
    }
  }
  rest.push(body.slice(from))
  if (depth > 0 || Object.keys(input).length === 0) return undefined
  return [{ type: 'call', call: { tool, input } }, ...textSegment(rest.join(' '))]
}

/** Reads the value of an argument in tags. It has no quotes, so a value that reads as JSON is JSON. */
function readValue(text: string): Json {
  const value = text.trim()
  const reading = /^(?:[[{]|-?\d|true$|false$|null$)/.test(value) ? readJson(value) : undefined
  return reading && !reading.isMended ? reading.value : value
}

/** Reads `{"name": "search", "arguments": {}}`, a list of them, or several one after the other. */
function readValues(text: string): readonly TagSegment[] {
  const segments: TagSegment[] = []
  for (let from = 0; from < text.length; ) {
    const start = findJson(text, from)
    segments.push(...textSegment(text.slice(from, start < 0 ? text.length : start)))
    if (start < 0) break
    const end = new JsonEnd().find(text, start) ?? text.length
    segments.push(...readValuesIn(text.slice(start, end)))
    from = end
  }
  return segments
}

function readValuesIn(text: string): readonly TagSegment[] {
  const value = readJson(text)?.value
  const values = Array.isArray(value) ? value : [value ?? null]
  return values.map((one) => {
    const call = readMarkedCall(one)
    return call ? { type: 'call', call } : { type: 'invalid', text: values.length === 1 ? text : JSON.stringify(one) }
  })
}

/** Creates a segment from text between and after calls. Extra brackets, fences and separators are omitted. */
const textSegment = (text: string): readonly TagSegment[] =>
  isBlank(text.replaceAll(/```\w*|[\]},;`]/g, '')) ? [] : [{ type: 'text', text: text.trim() }]
