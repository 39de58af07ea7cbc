import { AgentError } from '../error.ts'
import { toJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import { accept, type Checked } from '../schema.ts'
import type { AnswerSignal } from '../signal.ts'

/** The answer with another output. Throws if that is not what the agent's own answers are. */
export async function answerWith(run: RunContext, answer: AnswerSignal, output: unknown): Promise<AnswerSignal> {
  const fits = await checkOutput(run, output)
  // A schema that makes something else of what it is given does not take its own output.
  if (fits.ok || !(await checkOutput(run, answer.output)).ok) return { ...answer, output: toJson(output) }
  throw new AgentError('answer_invalid', `What is answered instead does not fit the agent's answers: ${fits.message}.`)
}

export async function checkOutput({ agent }: RunContext, output: unknown): Promise<Checked> {
  if (agent.output) return agent.output.check(output)
  return typeof output === 'string' ? accept(output) : { ok: false, message: 'without an `output` they are text' }
}
