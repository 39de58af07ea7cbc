import type { z } from 'zod'
import { complain, expected, nounOf } from './complain.ts'
import { formatPath, type Path, type Problem } from './problem.ts'

export type Placed = Problem & { readonly at: Path }
type Issue = z.core.$ZodIssue

/** Checks a value and tells what is wrong in our words. */
export function check<T>(schema: z.ZodType<T>, value: unknown, base: Path): { value?: T; problems: readonly Placed[] } {
  const parsed = schema.safeParse(value, { error: complain, reportInput: true })
  return parsed.success ? { value: parsed.data, problems: [] } : { problems: toProblems(parsed.error.issues, base) }
}

/** Says what a schema found wrong, each fault once, with the path from the root. */
function toProblems(issues: readonly Issue[], base: Path): readonly Placed[] {
  return issues.flatMap((issue) => leaves(issue, [...base, ...issue.path]))
}

/** Marks an error that is already reported elsewhere. */
export const toldElsewhere = { toldElsewhere: true } as const

function leaves(issue: Issue, path: Path): readonly Placed[] {
  if (issue.code === 'custom' && issue.params?.toldElsewhere) return []
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

const placed = (at: Path, message: string): Placed => ({ at, path: formatPath(at), message })

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

/** Of the forms that a value may have, the one that it was meant to have: of the same type, and with keys that it knows. */
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
