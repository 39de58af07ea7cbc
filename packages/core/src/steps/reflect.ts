import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'
import { checkOptions, DEV } from '#checks'
import { orStopped } from '../engine/wait.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { awaitsThought, type RunState } from '../state.ts'
import { ofRequest, type RequestNote, sayOnce, stateForTurn } from '../step.ts'
import { cutText, transcript } from './compact/text.ts'
import { sideCall } from './sideCall.ts'
import { ownNote } from './verdict.ts'

export interface ReflectOptions {
  /** The number of turns on a request before a reflection, and between reflections; 5 by default. */
  every?: number
  /** Returns true to reflect before the next turn, instead of every few turns. */
  when?: (state: RunState) => boolean | PromiseLike<boolean>
  /** The instructions for the review. */
  prompt?: string
  /** The reflecting model; the agent's own models by default. */
  model?: LanguageModelV4 | readonly LanguageModelV4[]
  /** The maximum per request; 5 by default. */
  most?: number
  /** Distinguishes several of one agent; `progress` by default. */
  name?: string
}

/** The latest reflection on a request: the turn before it, and the number of reflections so far. */
interface Reflected extends RequestNote {
  readonly turn: number
  readonly count: number
}

/**
 * Reviews the work from time to time in a side call, and informs the agent (after Shinn et al., "Reflexion", 2023). A
 * reflection is in the log, and its tokens count in the run's usage. For `before`.
 */
export function reflect(options: ReflectOptions = {}): Step {
  checkOptions('reflect()', options, ['every', 'when', 'prompt', 'model', 'most', 'name'])
  const { every = 5, when, prompt = question, model, most = 5, name = 'progress' } = options
  assertOption(every >= 1, DEV && `reflect({ every: ${every} }): use 1 or more.`)
  assertOption(most >= 1, DEV && `reflect({ most: ${most} }): use 1 or more.`)
  const note = ownNote<Reflected>(`reflect/${name}`)
  const models = model && [model].flat()

  return async (run) => {
    const { state } = run
    const { iteration: turn, request } = state
    const { turn: since, count } = ofRequest(note.read(run), state) ?? { turn: request.iteration, count: 0 }
    if (turn === since || count >= most || !awaitsThought(state)) return undefined
    const due = when ? await orStopped(when(state), run.abortSignal) : turn - since >= every
    if (!due) return undefined
    const key = `reflect/${name}/${turn}`
    const reflection = await sideCall(run, { key, prompt: promptOf(run, prompt), ...(models && { models }) })
    if (reflection.trim()) sayOnce(run, `A look at the work so far:\n\n${reflection}`)
    note.write(run, { request: request.seq, turn, count: count + 1 })
    return undefined
  }
}

const question =
  'You look over the shoulder of an agent at work. From the record, judge its progress in a few sentences: what is settled, ' +
  'what went wrong or goes round in circles, and what it should do next. Speak to the agent.'

/** Returns the prompt as one text: models reject calls of tools that they do not know. */
function promptOf(run: RunContext, prompt: string): LanguageModelV4Message[] {
  const record = transcript(run.prompt.messages(stateForTurn(run)), perResult)
  const text = `The record of the work:\n\n${cutText(record, longest)}`
  return [
    { role: 'system', content: prompt },
    { role: 'user', content: [{ type: 'text', text }] },
  ]
}
/** The maximum tokens of each result, and of the whole prompt. */
const [perResult, longest] = [500, 16_000]
