import type { z } from 'zod'
import { expected, issueMessage, nounOf } from './issueMessage.ts'

/** A mistake in a config: its position, the problem, and the way to fix it. */
export interface Problem {
  /** The path, such as `agents.planner.backend.reasonAct.before[1]`; empty for the whole. */
  readonly path: string
  readonly message: string
  /** The line, counted from 1, if the config was a text. */
  readonly line?: number
  readonly column?: number
}

export type Path = readonly PropertyKey[]

const formatPath = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : member(String(key), index))).join('')

const member = (key: string, index: number): string => {
  if (!/^[\w$-]+$/.test(key)) return `[${JSON.stringify(key)}]`
  return index === 0 ? key : `.${key}`
}

/** The maximum number of reported mistakes. Others are reported once these are fixed. */
const most = 20
/** The maximum length of a path, since a key may be as long as the config. */
const maxPath = 200

/** Formats the mistakes in one text, one line for each of the first. */
export function formatProblems(problems: readonly Problem[]): string {
  const head = problems.length === 1 ? 'The config has a mistake:' : `The config has ${problems.length} mistakes:`
  const lines = problems.slice(0, most).map((problem) => `- ${formatProblem(problem)}`)
  const more = problems.length - lines.length
  return [head, ...lines, ...(more > 0 ? [`- and ${more} more.`] : [])].join('\n')
}

function formatProblem({ path: whole, message, line, column }: Problem): string {
  const path = whole.length > maxPath ? `${whole.slice(0, maxPath)}…` : whole
  const position = line === undefined ? '' : `line ${line}, column ${column}`
  const where = path && position ? `${path} (${position})` : path || position
  return where ? `${where}: ${message}` : message
}

export type Placed = Problem & { readonly at: Path }
type Issue = z.core.$ZodIssue

/** Validates a value, and returns the problems in our words. */
export function check<T>(schema: z.ZodType<T>, value: unknown, base: Path): { value?: T; problems: readonly Placed[] } {
  const parsed = schema.safeParse(value, { error: issueMessage, reportInput: true })
  return parsed.success ? { value: parsed.data, problems: [] } : { problems: toProblems(parsed.error.issues, base) }
}

/** Converts the issues of a schema, each fault once, with the path from the root. */
function toProblems(issues: readonly Issue[], base: Path): readonly Placed[] {
  return issues.flatMap((issue) => leaves(issue, [...base, ...issue.path]))
}

/** Marks an error that is already reported elsewhere. */
export const reportedElsewhere = { reportedElsewhere: true } as const

function leaves(issue: Issue, path: Path): readonly Placed[] {
  if (issue.code === 'custom' && issue.params?.reportedElsewhere) return []
  if (isMissing(issue)) return [placed(path, missing(issue))]
  if (issue.code === 'unrecognized_keys') {
    const lines = issue.message.split('\n')
    return issue.keys.map((key, index) => placed([...path, key], lines[index] ?? issue.message))
  }
  if (issue.code !== 'invalid_union') return [placed(path, issue.message)]
  const meant = branchOf(issue)
  if (meant) return toProblems(meant, path)
  return [placed(path, expected(wordsFor(issue).join(' or '), issue.input))]
}

export const placed = (at: Path, message: string): Placed => ({ at, path: formatPath(at), message })

const isMissing = ({ code, input }: Issue): boolean =>
  input === undefined && (code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union')

const missing = (issue: Issue): string => `This is missing. Give ${wordsFor(issue).join(' or ')}.`

/** Describes the valid values. */
function wordsFor(issue: Issue): string[] {
  if (issue.code === 'invalid_union') return [...new Set(issue.errors.flatMap((branch) => branch.flatMap(wordsFor)))]
  if (issue.code === 'invalid_type') return [nounOf(issue.expected)]
  return issue.code === 'invalid_value' ? [`one of ${issue.values.map(String).join(', ')}`] : []
}

type Union = Extract<Issue, { code: 'invalid_union' }>

/** Returns the issues of the form that a value was meant to have: of the same type, and with known keys. */
function branchOf({ errors }: Union): readonly Issue[] | undefined {
  const fitting = errors.filter((branch) => !branch.some((issue) => issue.path.length === 0 && isOfOtherType(issue)))
  return fitting.find((branch) => !branch.some(hasUnknownKeys)) ?? fitting[0]
}

function hasUnknownKeys(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union') return branchOf(issue)?.some(hasUnknownKeys) ?? false
  return issue.code === 'unrecognized_keys'
}

function isOfOtherType(issue: Issue): boolean {
  if (issue.code === 'invalid_union') return branchOf(issue) === undefined
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && typeof issue.input !== 'string')
}
