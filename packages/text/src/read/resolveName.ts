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
  return tools.find((tool) => bare === tool.toLowerCase() || bare === `${tool.toLowerCase()}.`) ?? name
}

/** No name begins or ends with asterisks, so they are what is left of a bold label or name. */
const withoutStars = (written: string): string => written.replace(/^\*{1,8}|\*{1,8}$/g, '').trim() || written

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

/** Returns true if a name only says that there is no tool to call. */
export const isNothing = (name: string): boolean => /^(?:none|n\/a|null|nothing|no action|no tool)[.\s]*$/i.test(name)

/** Matches what models write if there is no tool to call. */
export const isNoTool = (name: string): boolean =>
  /^(?:none|n\/a|null|nothing|no action|no tool)\b/i.test(name.trimStart())
