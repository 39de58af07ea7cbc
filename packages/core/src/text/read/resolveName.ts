import { unit } from './characters.ts'

/**
 * The tool that is meant by what stands for its name. Quotes, backticks and bold are taken away, and asterisks left over from
 * it; where the tools are known, also a remark behind the name, empty parentheses, a full stop, and a difference in case.
 */
export function resolveName(written: string, tools: readonly string[] | undefined): string {
  const name = unwrap(withoutStars(written.trim()))
  if (!tools || tools.includes(name)) return name
  const whole = unwrap(name, brackets)
  const open = whole.indexOf('(')
  const bare = (open > 0 ? whole.slice(0, open) : whole).trim().toLowerCase()
  const plain = bare.endsWith('.') ? bare.slice(0, -1) : bare
  return tools.find((tool) => tool.toLowerCase() === bare) ?? tools.find((tool) => tool.toLowerCase() === plain) ?? name
}

/** No name begins or ends with asterisks, so they are what is left of a bold label or name. */
function withoutStars(written: string): string {
  let start = 0
  let end = written.length
  while (start < end && written.charCodeAt(start) === unit.asterisk) start++
  while (end > start && written.charCodeAt(end - 1) === unit.asterisk) end--
  return start === end ? written : written.slice(start, end).trim()
}

type Wrappers = readonly (readonly [string, string])[]
const quotes: Wrappers = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
]
const brackets: Wrappers = [
  ['[', ']'],
  ['<', '>'],
]

function unwrap(name: string, wrappers: Wrappers = quotes): string {
  const found = wrappers.find(
    ([open, close]) => name.length > open.length + close.length && name.startsWith(open) && name.endsWith(close),
  )
  return found ? name.slice(found[0].length, name.length - found[1].length).trim() : name
}

/** What models write where there is no tool to call. */
export const isNoTool = (name: string): boolean =>
  /^(?:none|n\/a|null|nothing|no action|no tool)\b/i.test(name.trimStart())
