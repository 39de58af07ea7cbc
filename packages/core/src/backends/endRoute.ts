import { AgentError } from '../error.ts'
import { toJson } from '../json.ts'
import { readAnswer } from '../readAnswer.ts'
import type { RunContext } from '../run.ts'
import { accept, type Checked } from '../schema.ts'
import type { AnswerSignal } from '../signal.ts'
import { noUsage } from '../usage.ts'
import { end, type RouteDecision } from './decideRoute.ts'
import { notePlace, type RoutePlace } from './routePlace.ts'

/** Returns true if a router may end like this: there is an answer, and it has the router's own type. */
export function checkEnd(run: RunContext, place: RoutePlace, decision: RouteDecision): Checked | PromiseLike<Checked> {
  if (decision.agent !== end) return accept(decision)
  const answer = decision.answer ?? place.answer?.output
  if (answer === undefined) return { ok: false, message: 'no agent has answered yet; name an agent, or give an answer' }
  return run.agent.output ? readAnswer(toJson(answer), run.agent.output) : accept(answer)
}

export interface Ending {
  readonly place: RoutePlace
  /** Words of the router's own, or what an agent came to. */
  readonly answer: string | AnswerSignal | undefined
  /** Messages before this `seq` were known at the decision. */
  readonly heard: number
}

/** Ends the request, and notes that it did. */
export async function endRoute(run: RunContext, { place, answer: given, heard }: Ending): Promise<AnswerSignal> {
  const answered = typeof given === 'string' ? say(run, given, heard) : given
  const answer = await typed(run, answered ?? { type: 'answer', output: '', reason: 'completed' })
  notePlace(run, { ...place, to: end, answer })
  return answer
}

/** Adds the router's text as a turn, so that the agents see it. Its usage is already noted. */
function say({ agent, emit }: RunContext, text: string, heard: number): AnswerSignal {
  const { provider = '', modelId = '' } = agent.models[0] ?? {}
  const parts = [{ type: 'text', text }] as const
  emit({ type: 'thought', model: { provider, modelId }, parts, usage: noUsage, ms: 0, heard })
  return { type: 'answer', output: text, reason: 'text' }
}

/** Validates the answer with the router's own schema. An answer without a decision may not fit. */
export async function typed({ agent: { name, output } }: RunContext, answer: AnswerSignal): Promise<AnswerSignal> {
  if (!output) return answer
  const checked = await readAnswer(toJson(answer.output), output)
  if (checked.ok) return { ...answer, output: toJson(checked.value) }
  throw new AgentError(
    'answer_invalid',
    `The answer does not fit the output of the router "${name}": ${checked.message}. Let its agents answer in that type.`,
  )
}
