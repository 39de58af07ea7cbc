import { folded, nearest } from '@interleave/core/internal'
import type { z } from 'zod'

/** Writes errors for config authors. Several unknown keys get a line each. */
export const issueMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return expected(nounOf(issue.expected), issue.input)
    case 'invalid_value':
      return unknownName(issue.input, issue.values.map(String))
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(key, namesOf(issue.inst))).join('\n')
    case 'too_small':
      return outside(issue, `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`)
    case 'too_big':
      return outside(issue, `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`)
    case 'invalid_key':
      return 'A name has to be a text that is not empty.'
    default:
      return undefined
  }
}

/** The maximum number of names that an error lists: a config may have thousands of agents. */
const maxNames = 50

/** Suggests known names instead of an unknown one. */
export function unknownName(given: unknown, names: readonly string[]): string {
  const meant = typeof given === 'string' ? nearest(given, names) : undefined
  const guess = meant === undefined ? '' : ` Did you mean "${meant}"?`
  const others = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  const list = names.slice(0, maxNames).join(', ')
  const known = names.length === 0 ? 'None is known here.' : `Known here: ${list}${others}.`
  return `There is no ${describe(given)}.${guess} ${known}`
}

function unknownField(field: string, names: readonly string[]): string {
  const meant = equivalents.get(folded(field))
  return meant === undefined ? unknownName(field, names) : `There is no ${describe(field)}. Here it is ${meant}.`
}

const namesOf = (schema: unknown): readonly string[] => {
  const { shape } = (schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def ?? {}
  return Object.keys(shape ?? {})
}

const nouns: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'fields with values',
  record: 'fields with values',
}
export const nounOf = (expected: string): string => nouns[expected] ?? expected

/** Formats a value for an error. */
function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'empty'
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a group of fields' : String(value)
}

/** Describes the expected value, and how to fix the actual one. */
export const expected = (noun: string, input: unknown): string =>
  `Expected ${noun}, but this is ${describe(input)}.${remedy(noun, input)}`

function remedy(noun: string, input: unknown): string {
  if (input === null) return ' Give a value, or leave it out: the whole field, or the ":" after a name without options.'
  if (noun === nouns.string && (typeof input === 'number' || typeof input === 'boolean')) {
    return ` Put it in quotes: "${input}".`
  }
  const quoted = typeof input === 'string' && input.trim() !== '' && !Number.isNaN(Number(input))
  return quoted && (noun === nouns.number || noun === nouns.int) ? ' Write it without quotes.' : ''
}

/** Describes a value outside of its limits. Lists and strings have a length. */
function outside({ input, origin }: { readonly input: unknown; readonly origin: string }, bound: string): string {
  const { length } = input as { length?: number }
  if (origin === 'array') return `This list has ${length} items. Give it ${bound}.`
  return origin === 'string'
    ? `This text has ${length} characters. Give it ${bound}.`
    : `This is ${input}. Use ${bound}.`
}

const limits = '`limits` of reasonAct: { iterations, tokens, cost, toolCalls, ms }'
const settings = '`think: { settings: … }` of reasonAct'
const labels = '`model: { textMode: { model: …, labels: { thought, action, observation } } }`'

/** The field names of other frameworks, and ours. */
const equivalents: ReadonlyMap<string, string> = new Map([
  ['maxiterations', limits],
  ['maxsteps', limits],
  ['maxturns', limits],
  ['timeout', limits],
  ['timeoutseconds', limits],
  ['temperature', settings],
  ['maxtokens', settings],
  ['systemprompt', '`instructions`'],
  ['system', '`instructions`'],
  ['prompt', '`instructions`'],
  ['outputschema', '`output`'],
  ['fallbacks', 'a list in `model`'],
  ['stopwhen', '`stop` of reasonAct'],
  ['terminationstrategy', '`stop` of reasonAct: finalAnswer, confidentAnswer, or inOrder with both'],
  ['confidencethreshold', '`stop: { confidentAnswer: { threshold: … } }` of reasonAct'],
  ['finalanswertoolname', '`stop: { finalAnswer: { name: … } }` of reasonAct'],
  ['autocompactinworkflow', '`before: [{ compact: … }]` of reasonAct'],
  ['compactthresholdratio', '`before: [{ compact: { ratio: … } }]` of reasonAct'],
  ['reasoningprefix', labels],
  ['actionprefix', labels],
  ['observationprefix', labels],
  ['<<', 'not read: YAML 1.2 merges no maps. Repeat the fields, or use an alias for a whole value'],
  ['maxconsecutivethoughts', '`before: [{ forceAction: { after: … } }]` of reasonAct'],
])
