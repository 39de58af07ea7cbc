import { format } from '@cfworker/json-schema'
import { isObject } from '../json.ts'
import { compilePattern, isSimplePattern, type Pattern } from './pattern.ts'

/** The work that one check may still do, in visited schemas. */
export interface Budget {
  left: number
}

export class TooCostly extends Error {}

type Members = Readonly<Record<string, unknown>>

type Fits = (value: unknown) => boolean
const isNumber: Fits = (value) => typeof value === 'number'
const isText: Fits = (value) => typeof value === 'string'
const areTexts: Fits = (value) => Array.isArray(value) && value.every(isText)
const areSchemas: Fits = (value) => Array.isArray(value) && value.length > 0
const byKeyword = (keywords: string, fits: Fits): [string, Fits][] => keywords.split(' ').map((key) => [key, fits])

/** The values that keywords can have. One with any other value says nothing. */
const valid: ReadonlyMap<string, Fits> = new Map([
  ...byKeyword('maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength', isNumber),
  ...byKeyword('maxItems minItems maxProperties minProperties minContains maxContains', isNumber),
  ...byKeyword('$id $anchor', isText),
  ...byKeyword('allOf anyOf oneOf prefixItems', areSchemas),
  ...byKeyword('$defs definitions properties patternProperties dependentSchemas dependencies', isObject),
  ['required', areTexts],
  ['enum', Array.isArray],
  ['uniqueItems', (value) => value === true],
  ['dependentRequired', (value) => isObject(value) && Object.values(value).every(areTexts)],
  ['type', (value) => [value].flat().every((name) => types.has(name))],
])
const types = new Set<unknown>(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** Keywords whose value is data. */
const asTheyAre = new Set(
  '$id $anchor enum const required dependentRequired type maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength maxItems minItems uniqueItems maxProperties minProperties minContains maxContains'.split(
    ' ',
  ),
)
/** Keywords whose value is data that nothing checks, and those that are converted. */
const omitted = new Set(
  '$schema $comment $vocabulary id title description default examples readOnly writeOnly deprecated pattern format $ref $recursiveRef $recursiveAnchor $dynamicRef $dynamicAnchor'.split(
    ' ',
  ),
)
/** Formats whose check takes linear time. */
const formats = new Set(
  'date time date-time duration email hostname ipv4 ipv6 uri uri-reference uuid json-pointer'.split(' '),
)

const mostSchemas = 20_000
/** The characters of a list of values that count as one more visit. */
const perVisit = 256

/**
 * Copies a schema, which is plain JSON, for the validator: it adds members to schemas, backtracks in patterns, and has no
 * limit of time. Each visit of a schema of the copy spends a part of the budget.
 */
export function boundedSchema(schema: unknown, budget: Budget): object | boolean {
  let schemas = 0
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy)
    if (!isObject(part)) return part !== false
    if (++schemas > mostSchemas) throw new SyntaxError(`it has more than ${mostSchemas} parts`)
    const copied: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(part)) {
      if (omitted.has(key) || valid.get(key)?.(value) === false) continue
      copied[key] = asTheyAre.has(key) ? value : copyMembers(key, value)
    }
    return spending(converted(copied, part), weightOf(copied), budget)
  }
  /** Copies schemas by their names, which may be those of keywords. */
  const copyMembers = (key: string, value: unknown): unknown =>
    named.has(key) && isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, areTexts(each) ? each : copy(each)]))
      : copy(value)
  return copy(schema) as object | boolean
}

/** Keywords with schemas by name; `dependencies` may have lists of names, too. */
const named = new Set('$defs definitions properties patternProperties dependentSchemas dependencies'.split(' '))

/** Adds the keywords that the validator would read in another way. */
function converted(copied: Record<string, unknown>, { pattern, format: ofText, ...given }: Members): object {
  const ref = given.$ref ?? given.$dynamicRef ?? given.$recursiveRef
  if (typeof ref === 'string') copied.$ref = ref
  if (typeof given.$dynamicAnchor === 'string') copied.$anchor ??= given.$dynamicAnchor
  // Draft 4 has flags for these.
  if (given.exclusiveMinimum === true) copied.exclusiveMinimum = given.minimum
  if (given.exclusiveMaximum === true) copied.exclusiveMaximum = given.maximum
  if (typeof ofText === 'string' && formats.has(ofText)) copied.format = ofText
  if (typeof pattern === 'string') {
    const allOf = Array.isArray(copied.allOf) ? copied.allOf : []
    copied.allOf = [...allOf, { format: patternFormat(pattern) }]
  }
  for (const source of isObject(copied.patternProperties) ? Object.keys(copied.patternProperties) : [])
    if (!isSimplePattern(source)) throw new SyntaxError(`the pattern ${source} of \`patternProperties\` is too complex`)
  return copied
}

/** Lets each visit of a schema count. The validator reads all keywords that it knows, also this one, which is converted. */
const spending = (schema: object, weight: number, budget: Budget): object =>
  Object.defineProperty(schema, '$recursiveAnchor', {
    get() {
      budget.left -= weight
      if (budget.left < 0) throw new TooCostly()
      return undefined
    },
  })

const weightOf = ({ enum: values, const: value, required, properties }: Members): number => {
  const names = isObject(properties) ? Object.keys(properties) : undefined
  return 1 + Math.floor((JSON.stringify([values, value, required, names])?.length ?? 0) / perVisit)
}

/** The beginning of the names of formats that are patterns. */
const byPattern = 'pattern '

/** Returns the name of a format that is a pattern: the table of formats is where the validator takes checks of an app. */
function patternFormat(source: string): string {
  const name = byPattern + source
  let pattern: Pattern | undefined
  format[name] ??= (text) => {
    pattern ??= compilePattern(source)
    return pattern.test(text)
  }
  return name
}

/** Returns the pattern of a format's name; undefined for any other format. */
export const patternOf = (name: string): string | undefined =>
  name.startsWith(byPattern) ? name.slice(byPattern.length) : undefined
