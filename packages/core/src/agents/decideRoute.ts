import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import { isObject, type Json, parseJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { Checked, CompiledSchema, JsonSchema } from '../schema.ts'
import { hearable } from '../step.ts'
import { sideCall } from '../steps/sideCall.ts'
import { ownInstructions } from '../steps/think.ts'
import { readAnswer } from '../stop/answer.ts'

/** A router's decision: the agent that gets the run, or the end. */
export interface RouteDecision {
  readonly agent: string
  readonly reason: string
  /** A message for the agent in addition to the conversation. */
  readonly message?: string
  /** The router's own final words, instead of the last agent's answer. */
  readonly answer?: string
}

export const end = 'end'

export interface Deciding {
  /** When each agent is to have the run, by name. */
  readonly agents: Readonly<Record<string, { readonly when: string }>>
  /** The way to decide: with a tool that the model must call, or with JSON. */
  readonly by: 'tool' | 'json'
  /** Finds the decision again after a reload. */
  readonly key: string
  /** Validates the decision further. */
  check(decision: RouteDecision): Checked | PromiseLike<Checked>
}

const tries = 3

/** Asks the router's model in a side call. An invalid decision goes back to it. */
export async function decideRoute(run: RunContext, deciding: Deciding): Promise<RouteDecision> {
  const schema = schemaOf(Object.keys(deciding.agents))
  const how =
    deciding.by === 'tool'
      ? { tool: toolOf(schema) }
      : { responseFormat: { type: 'json', schema, name: 'route_to' } as const }
  let problem = ''
  for (let attempt = 0; attempt < tries; attempt++) {
    const prompt = promptFor(run, deciding, problem)
    const text = await sideCall(run, { key: `${deciding.key}/${attempt}`, prompt, ...how })
    const read = await readDecision(text, schema, deciding)
    if (read.ok) return read.value as RouteDecision
    problem = read.message
  }
  throw new AgentError('answer_invalid', `The router "${run.agent.name}" came to no decision: ${problem}.`, {
    retryable: true,
  })
}

const schemaOf = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: {
    agent: {
      type: 'string',
      enum: [...names, end],
      description: `The agent that continues, or "${end}" when the user has an answer.`,
    },
    reason: { type: 'string', description: 'Why, in a few words.' },
    message: { type: 'string', description: 'What this agent has to know or do. It sees the conversation.' },
    answer: { type: 'string', description: `With "${end}": an answer of your own, instead of the last one given.` },
  },
  required: ['agent', 'reason'],
  additionalProperties: false,
})

const toolOf = (inputSchema: JsonSchema): LanguageModelV4FunctionTool => ({
  type: 'function',
  name: 'route_to',
  description: 'Decides which agent continues the conversation.',
  inputSchema,
})

function promptFor(run: RunContext, { agents, by }: Deciding, problem: string): LanguageModelV4Message[] {
  const own = ownInstructions(run.agent, run.state)
  const list = Object.entries(agents).map(([name, { when }]) => `- ${name}${when && `: ${when}`}`)
  const rules = `You decide which agent continues this conversation. You do not work on it yourself. The agents are:\n${list.join('\n')}`
  const how = by === 'tool' ? 'Call route_to.' : 'Answer with JSON: {"agent": "…", "reason": "…"}.'
  const question = `Which agent continues? Name one of the agents, or "${end}" when the user has an answer. ${how}`
  const again = problem && `This could not be followed: ${problem}.\n`
  return [
    ...run.prompt.messages(hearable(run), [own, rules].filter(Boolean).join('\n\n')),
    { role: 'user', content: [{ type: 'text', text: `${again}${question}` }] },
  ]
}

/** Reads the decision. A name alone is a decision too. */
async function readDecision(text: string, json: JsonSchema, { agents, check }: Deciding): Promise<Checked> {
  const names = [...Object.keys(agents), end]
  const toDecision = (value: unknown): Checked => {
    const { agent, reason, message, answer } = (isObject(value) ? value : {}) as Record<string, unknown>
    const name = names.find((known) => known.toLowerCase() === String(agent).trim().toLowerCase())
    if (name === undefined)
      return { ok: false, message: `there is no agent ${JSON.stringify(agent)}; ${listOf(names)}` }
    const texts = Object.entries({ message, answer }).filter(([, words]) => typeof words === 'string' && words !== '')
    const decision = { agent: name, reason: typeof reason === 'string' ? reason : '', ...Object.fromEntries(texts) }
    return { ok: true, value: decision }
  }
  const bare = names.find((name) => name === text.trim())
  const schema: CompiledSchema = { json, check: toDecision }
  const read = bare ? toDecision({ agent: bare }) : await readAnswer(parsed(text), schema)
  if (!read.ok) return read
  const fits = await check(read.value as RouteDecision)
  return fits.ok ? read : fits
}

const listOf = (names: readonly string[]): string => `there are ${names.map((name) => JSON.stringify(name)).join(', ')}`

/** Parses JSON. Text around it, or instead of it, is handled by the schema check. */
function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
