import { isObject, toBase64 } from '@interleave/core/internal'
import type { JsonObject } from './rpc.ts'

/** An argument that is also sent as a header, so that a proxy can route by it: `x-mcp-header` in the tool's schema. */
export interface HeaderParam {
  readonly path: readonly string[]
  readonly header: string
}

const key = 'x-mcp-header'
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const sendable: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/** Returns the arguments that a tool wants as headers; undefined if the schema breaks the rules for them. */
export function headerParams(schema: unknown): readonly HeaderParam[] | undefined {
  const found: HeaderParam[] = []
  const walk = (node: unknown, path: readonly string[] | undefined): boolean => {
    if (Array.isArray(node)) return node.every((item) => walk(item, undefined))
    if (!isObject(node)) return true
    if (Object.hasOwn(node, key)) {
      const header = node[key]
      const fits = path?.length && typeof header === 'string' && token.test(header) && sendable.has(node.type)
      if (!fits) return false
      found.push({ path, header: `mcp-param-${header.toLowerCase()}` })
    }
    return Object.entries(node).every(([name, member]) => {
      // These contain data, not schemas.
      if (name === 'default' || name === 'const' || name === 'enum' || name === 'examples') return true
      if (name !== 'properties' || !isObject(member)) return walk(member, undefined)
      return Object.entries(member).every(([property, each]) => walk(each, path && [...path, property]))
    })
  }
  if (!walk(schema, [])) return undefined
  return new Set(found.map(({ header }) => header)).size === found.length ? found : undefined
}

/** Returns the headers of a call. */
export function paramHeaders(params: readonly HeaderParam[], input: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, header } of params) {
    let value: unknown = input
    for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    if (isSendable(value)) headers[header] = headerValue(String(value))
  }
  return headers
}

const isSendable = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)

/** Encodes a string as the value of a header: as base64 of its UTF-8 if a header cannot contain it. */
export function headerValue(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !(text.startsWith('=?base64?') && text.endsWith('?='))
  if (isPlain) return text
  return `=?base64?${toBase64(new TextEncoder().encode(text))}?=`
}

/** Returns the name in a request's parameters, which servers require as a header too. */
export function nameOf(method: string, params: JsonObject): string | undefined {
  const name = method === 'resources/read' ? params.uri : params.name
  return typeof name === 'string' && /^(?:tools\/call|resources\/read|prompts\/get)$/.test(method) ? name : undefined
}
