import { AgentError } from '../../error.ts'
import type { RunContext } from '../../run.ts'
import { accept, type CompiledSchema, type JsonSchema, whenLoaded } from '../../schema.ts'
import { type Call, latestTurn, openCalls } from '../../state.ts'
import { failedOutcome, type Outcome, type ToolSpec } from '../../tool.ts'

/** Additional fields next to an answer, which then always has its own field. */
type Fields = Readonly<Record<string, JsonSchema>>

/** Creates a tool whose input is the answer. Inputs are objects, so any other answer is in the field `answer`. */
export function answerTool(
  { name, description }: { readonly name: string; readonly description: string },
  output: CompiledSchema | undefined,
  others?: Fields,
): ToolSpec {
  const wrap = (schema: JsonSchema): JsonSchema =>
    isObjectSchema(schema) && !others ? schema : wrapAnswer(schema, others)
  const schema: CompiledSchema = {
    get json() {
      return whenLoaded(output?.json ?? { type: 'string' }, wrap)
    },
    check: accept,
  }
  const spec = { name, description, schema, effect: 'readOnly', terminal: true } as const
  return Object.freeze({ ...spec, ...(output && { output }) })
}

const isObjectSchema = ({ type }: JsonSchema): boolean => type === 'object'

/** Wraps a schema. Its references count from the root, so their targets stay there, or the references change. */
function wrapAnswer(schema: JsonSchema, others: Fields = {}): JsonSchema {
  const { $schema, definitions, $defs, ...answer } = moveReferences(schema) as JsonSchema
  return {
    ...($schema && { $schema }),
    ...(definitions && { definitions }),
    ...($defs && { $defs }),
    type: 'object',
    properties: { answer, ...others },
    required: ['answer', ...Object.keys(others)],
    additionalProperties: false,
  }
}

function moveReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moveReferences)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.entries(part).map(([key, value]) => [
    key,
    // A property may have this name, too.
    key === '$ref' && typeof value === 'string'
      ? value.replace(/^#(?!\/definitions\/|\/\$defs\/)/, '#/properties/answer')
      : moveReferences(value),
  ])
  return Object.fromEntries(members)
}

/** Returns the calls of a tool that its rule reads: those without a result, and one that it accepted before. */
export const answerCalls = ({ state }: RunContext, name: string): readonly Call[] =>
  (latestTurn(state)?.calls ?? []).filter((call) => call.name === name && (!call.result || call.final))

/** Ends a call that a stop rule has read, or will not read. */
export const close = (run: RunContext, { key }: Call, outcome: Outcome): void =>
  run.emit({ type: 'observed', call: key, ms: 0, ...outcome })

/** Ends the call that gave the answer, and those of other rules, which no longer apply. */
export function acceptCall(run: RunContext, { key, result }: Call): void {
  const accepted = { type: 'text', value: 'Accepted.' } as const
  if (!result) run.emit({ type: 'observed', call: key, ms: 0, result: accepted, final: true })
  for (const call of openCalls(run.state)) if (run.agent.tools[call.name]?.terminal) close(run, call, ignored)
}

export const ignored: Outcome = { result: { type: 'text', value: 'Not read: only the first answer of a turn counts.' } }

/** Returns the outcome of a rejected answer, as the model reads it. */
export const answerRefused = (problem: string): Outcome =>
  failedOutcome(new AgentError('tool_input_invalid', problem, { retryable: true }))
