import type { Step } from '../run.ts'
import type { RunState } from '../state.ts'
import { type AnswerOptions, judgeAnswers } from './judgeAnswers.ts'
import { orStopped } from './orStopped.ts'
import { rewrite } from './verdict.ts'

/**
 * Changes the answers of a stop rule, each once. What comes out has to be what the agent's answers are: its `output`, or
 * text.
 */
export const postprocess = <Output>(
  stop: Step,
  change: (output: Output, state: RunState) => Output | PromiseLike<Output>,
  { name = 'answer' }: Pick<AnswerOptions, 'name'> = {},
): Step =>
  judgeAnswers(stop, {
    name: `postprocess/${name}`,
    attempts: 0,
    code: 'answer_invalid',
    judge: async (run, output) => rewrite(await orStopped(change(output as Output, run.state), run.abortSignal)),
  })
