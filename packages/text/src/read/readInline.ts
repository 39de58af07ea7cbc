import type { Call } from './give.ts'
import { toInput } from './inputPart.ts'
import type { Step } from './part.ts'
import { readBracket } from './readBracket.ts'
import { isNoTool, resolveName } from './resolveName.ts'

export interface InlineInput {
  readonly name: string
  readonly input: string
}

/** A line with the label of the input behind the name. */
export function splitInput(line: string): InlineInput | undefined {
  const label = line.indexOf('Action Input:')
  const name = line.slice(0, Math.max(label, 0)).trim()
  return name === '' || isNoTool(name) ? undefined : { name, input: line.slice(label + 'Action Input:'.length) }
}

/** `search(Paris)`, but not `search (the web)`, which explains a name, or `search(q=Paris)`, which is for Python to read. */
const isPlainCall = (line: string, brace: number): boolean => /^\S\((?!\w+\s*=).*\)$/.test(line.slice(brace - 1))

/** Returns true if the name is known. If inputs are optional, parentheses may belong to the name. */
const isKnown = ({ dialect, tools }: Step, tool: string): boolean =>
  tools?.includes(resolveName(tool, tools)) ?? dialect.input !== 'optional json'

/**
 * A call on one line: `search Action Input: Paris`, `search {"query": "Paris"}`, `search("Paris")`, `search(Paris)`,
 * `search[Paris]`.
 */
export function readInline(step: Step, line: string): Call | undefined {
  const inline = splitInput(line)
  if (inline) return { tool: withoutRemark(step, inline.name), ...toInput(step, inline.input) }
  const brace = line.search(/[{(]/)
  const tool = line.slice(0, Math.max(brace, 0)).trim()
  const isOneWord = tool !== '' && !/\s/.test(tool)
  const inner = line.charAt(brace) === '(' && line.endsWith(')') ? line.slice(brace + 1, -1).trim() : line.slice(brace)
  if (isOneWord && /^["'{]/.test(inner)) return { tool, ...toInput(step, inner) }
  if (isOneWord && inner === '') return { tool, input: null }
  if (isOneWord && isPlainCall(line, brace) && isKnown(step, tool)) return { tool, ...toInput(step, inner) }
  const bracket = readBracket(line)
  if (bracket && !/\s/.test(bracket.tool)) return bracket
  return step.dialect.input === 'optional json' ? { tool: line, input: null } : undefined
}

/** Removes a remark in parentheses after the name. If inputs are JSON, names are single words. */
export function withoutRemark({ dialect, tools }: Step, written: string): string {
  const name = resolveName(written, tools)
  const open = name.indexOf('(')
  return dialect.input === 'json' && open > 0 && !tools?.includes(name) ? name.slice(0, open).trimEnd() : name
}
