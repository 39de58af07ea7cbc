import { demand } from '../demand.ts'
import { accept, type CompiledSchema, type JsonSchema, whenLoaded } from '../schema.ts'
import { isToolName, type ToolSpec } from '../tool.ts'

export interface AnswerTool {
  readonly name: string
  readonly description: string
  readonly output: CompiledSchema | undefined
  /** Additional fields next to the answer, which then always has its own field. */
  readonly beside?: Readonly<Record<string, JsonSchema>>
}

/** A tool whose input is the answer. Inputs are objects, so any other answer is in the field `answer`. */
export function answerTool({ name, description, output, beside }: AnswerTool): ToolSpec {
  const wrap = (schema: JsonSchema): JsonSchema => (isPlain(schema) && !beside ? schema : wrapAnswer(schema, beside))
  const schema: CompiledSchema = {
    get json() {
      return whenLoaded(output?.json ?? { type: 'string' }, wrap)
    },
    check: accept,
  }
  const spec = { name, description, schema, effect: 'pure', approve: 'never', terminal: true } as const
  return Object.freeze({ ...spec, ...(output && { output }) })
}

export function checkAnswerTool(owner: string, { name, description }: Pick<AnswerTool, 'name' | 'description'>): void {
  demand(isToolName(name), `${owner} has a name that providers refuse. Use 1 to 64 letters, digits, "_" and "-".`)
  demand(typeof description === 'string', `The \`description\` of ${owner} must be a string.`)
}

const isPlain = ({ type }: JsonSchema): boolean => type === 'object'

/** References of a schema count from its root. What they point to stays there, or is pointed to where it is now. */
function wrapAnswer(schema: JsonSchema, beside: AnswerTool['beside'] = {}): JsonSchema {
  const { $schema, definitions, $defs, ...answer } = moveReferences(schema) as JsonSchema
  return {
    ...($schema && { $schema }),
    ...(definitions && { definitions }),
    ...($defs && { $defs }),
    type: 'object',
    properties: { answer, ...beside },
    required: ['answer', ...Object.keys(beside)],
    additionalProperties: false,
  }
}

function moveReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moveReferences)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, key === '$ref' ? moved(value) : moveReferences(value)]),
  )
}

const moved = (reference: unknown): unknown =>
  typeof reference === 'string'
    ? reference.replace(/^#(?!\/definitions\/|\/\$defs\/)/, '#/properties/answer')
    : reference
