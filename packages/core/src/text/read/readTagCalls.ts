import type { Json } from '../../json.ts'
import { readJson } from './readJson.ts'
import { readJsonStep } from './readJsonStep.ts'

interface TagCall {
  readonly tool: string
  readonly input: Json
}

/** The calls in what stands between tags: JSON, or a function with its parameters in tags of their own. */
export function readTagCalls(tag: string, body: string): readonly TagCall[] {
  const text = body.trim()
  if (tag === '<function=' || tag === '<invoke name=') return readFunction(text)
  for (const inner of ['<function=', '<invoke name=']) {
    if (text.startsWith(inner)) return readFunction(text.slice(inner.length))
  }
  const value = readJson(text)?.value
  const values = Array.isArray(value) ? value : [value ?? null]
  return values.flatMap((one) => readJsonStep(one).call ?? [])
}

/** `search>{"query": "Paris"}` or `search><parameter=query>Paris</parameter>`. */
function readFunction(text: string): readonly TagCall[] {
  const end = text.indexOf('>')
  const tool = text.slice(0, Math.max(end, 0)).replaceAll(/["'/]/g, '').trim()
  if (tool === '') return []
  const body = text.slice(end + 1).trim()
  if (body.startsWith('{')) {
    const reading = readJson(body)
    return reading ? [{ tool, input: reading.value }] : []
  }
  return [{ tool, input: readParameters(body) }]
}

function readParameters(body: string): Json {
  const parameters: Record<string, Json> = {}
  let from = body.indexOf('<parameter')
  while (from >= 0) {
    const name = body.indexOf('>', from)
    const end = name < 0 ? -1 : body.indexOf('</parameter>', name)
    if (end < 0) break
    const key = body
      .slice(from + '<parameter'.length, name)
      .replace(/^\s*(?:name)?\s*=/, '')
      .replaceAll(/["']/g, '')
      .trim()
    if (key !== '__proto__') parameters[key] = readParameter(body.slice(name + 1, end))
    from = body.indexOf('<parameter', end)
  }
  return parameters
}

/** A parameter has no quotes that would tell a text from a number, so what reads as JSON is taken for it. */
function readParameter(text: string): Json {
  const value = text.trim()
  const reading = /^(?:[[{]|-?\d|true$|false$|null$)/.test(value) ? readJson(value) : undefined
  return reading && !reading.isMended ? reading.value : value
}
