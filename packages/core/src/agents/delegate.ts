import { checkOptions, DEV } from '#checks'
import { readAnswer } from '../capabilities/answer/readAnswer.ts'
import { joined } from '../history/scratchpad.ts'
import type { Json } from '../json.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import type { Limits, Signal } from '../signal.ts'
import { awaitsThought, latestTurn } from '../state.ts'
import { inOrder } from '../step.ts'
import { limit } from '../steps/limit.ts'
import { think } from '../steps/think.ts'
import { type ExternalAgent, externalModel } from './external.ts'

export interface DelegateOptions {
  /** The limits for each message of the user; 20 iterations by default. */
  limits?: Limits
  /** The maximum silence of the external agent in milliseconds, unless a user is being asked; 120,000 by default. */
  idleMs?: number
  /** The maximum characters of one turn; 2,000,000 by default. */
  maxCharacters?: number
  /** Further attempts after a failure that may pass. None by default, since the external agent may have done things. */
  retries?: number
}

/** A backend that asks no model, so that its agent needs none. */
export interface OwnModelStep extends Step {
  readonly ownModel: true
}

/** The longest possible timer: only silence or a stop ends an external turn. */
const ages = 2_147_483_647

/**
 * Delegates the work to an external agent with its own loop and tools. Its stream becomes events of this run, one turn
 * per turn; its questions are asked here; its session is in the log, so that it resumes after a reload.
 *
 * @example
 * agent({ name: 'coder', backend: delegate(coder) }).start('Fix the tests')
 */
export function delegate(external: ExternalAgent, options: DelegateOptions = {}): OwnModelStep {
  checkOptions('delegate()', options, ['limits', 'idleMs', 'maxCharacters', 'retries'])
  const { limits = { iterations: 20 }, idleMs = 120_000, maxCharacters = 2_000_000, retries = 0 } = options
  const { name, run } = (external ?? {}) as Partial<ExternalAgent>
  assertOption(name && typeof run === 'function', DEV && 'delegate() needs an external agent: { name, run }.')
  assertOption(idleMs > 0, DEV && `delegate({ idleMs: ${idleMs} }): use a number above 0.`)
  const ask: Step = (context) => {
    checkTools(context)
    if (awaitsThought(context.state)) context.replan({ models: [externalModel(context, external, idleMs)] })
    return undefined
  }
  const thinking = think({ retries, caps: { maxCharacters, maxMs: ages, idleMs: ages } })
  return Object.assign(inOrder(limit(limits), ask, thinking, answer), { ownModel: true } as const)
}

function checkTools({ agent: { name, tools } }: RunContext): void {
  const [tool] = Object.keys(tools)
  const what = `The agent "${name}" has a tool "${tool}", which its external agent cannot use`
  assertOption(tool === undefined, DEV && `${what}. Remove the tools, or give them to the external agent.`)
}

/** Returns the external agent's turn as the answer, or sends it back if it does not fit the agent's output. */
async function answer(run: RunContext): Promise<Signal | undefined> {
  const turn = latestTurn(run.state)
  if (!turn || turn.error) return undefined
  const given = turn.providerMetadata?.interleave?.output
  const output = (given as Json | undefined) ?? joined(turn, 'text')
  if (!run.agent.output) return { type: 'answer', output, reason: given === undefined ? 'text' : 'finalAnswer' }
  const checked = await readAnswer(output, run.agent.output)
  if (checked.ok) return { type: 'answer', output: checked.value, reason: 'finalAnswer' }
  if (run.state.pending.length === 0) {
    run.emit({ type: 'said', by: 'agent', content: `The answer does not fit: ${checked.message}. Give it again.` })
  }
  return undefined
}
