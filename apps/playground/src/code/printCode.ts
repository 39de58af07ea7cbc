/** Code that is printed on one line if it fits, and otherwise with a line for each of its parts. */
export type Code = string | Parts

interface Parts {
  readonly open: string
  readonly parts: readonly Code[]
  readonly close: string
  /** It has a line for each part in any case. */
  readonly isTall?: boolean
}

/** Narrow, as the pane that shows it. */
const width = 72

export function printCode(code: Code, indent = ''): string {
  if (typeof code === 'string') return code
  const { open, parts, close, isTall } = code
  const space = open.endsWith('{') && parts.length > 0 ? ' ' : ''
  const line = `${open}${space}${parts.map((part) => printCode(part)).join(', ')}${space}${close}`
  if (!isTall && !line.includes('\n') && indent.length + line.length <= width) return line
  const deeper = `${indent}  `
  return `${open}\n${parts.map((part) => `${deeper}${printCode(part, deeper)},\n`).join('')}${indent}${close}`
}

export const listCode = (parts: readonly Code[]): Code => ({ open: '[', parts, close: ']' })

/** An object. A member whose value is a variable of its name is written once. */
export const objectCode = (members: Readonly<Record<string, Code>>, isTall = false): Code => ({
  isTall,
  open: '{',
  parts: Object.entries(members).map(([name, code]) => (name === code ? name : prefixed(`${keyCode(name)}: `, code))),
  close: '}',
})

/** A call. The only argument shares its brackets. */
export function callCode(name: string, ...args: readonly Code[]): Code {
  const [only] = args
  if (args.length === 1 && typeof only === 'object') return prefixed(`${name}(`, { ...only, close: `${only.close})` })
  return { open: `${name}(`, parts: args, close: ')' }
}

/** A plain value. */
export function valueCode(value: unknown): Code {
  if (typeof value === 'string') return textCode(value)
  if (Array.isArray(value)) return listCode(value.map(valueCode))
  if (typeof value !== 'object' || value === null) return String(value)
  return objectCode(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, valueCode(member)])))
}

const prefixed = (prefix: string, code: Code): Code =>
  typeof code === 'string' ? prefix + code : { ...code, open: prefix + code.open }

function keyCode(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : textCode(name)
}

export function textCode(text: string): string {
  if (text.includes('\n')) return `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
