import type { Failure } from '../error.ts'
import type { ModelRequest } from '../host.ts'
import type { ModelSettings } from '../plan.ts'
import type { RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { awaitsThought } from '../state.ts'
import { hearable, hearBefore } from '../step.ts'
import { type AskedBeside, askBeside } from './askBeside.ts'
import { askModels, type Persistence, persistence } from './askModels.ts'
import { ignore } from './breaker.ts'
import { inputTeller } from './input.ts'
import { DraftKeeper, interruptedTurn } from './keepDraft.ts'
import { keepMeanwhile } from './keepMeanwhile.ts'
import { refuseBeyond } from './readLimits.ts'
import { refuseUnoffered } from './refuseUnoffered.ts'
import { offered, toolDefinitions } from './toolDefinitions.ts'

export interface ThinkOptions extends Persistence {
  /** Temperature, output tokens, reasoning effort and the rest of the model's own settings. */
  settings?: ModelSettings
}

/** Asks the model when there is something it has not answered yet. */
export function think({ settings = {}, ...options }: ThinkOptions = {}): Step {
  const persisting = persistence(options)

  return async (run) => {
    if (!awaitsThought(hearable(run))) return undefined
    const interrupted = interruptedTurn(run)
    if (interrupted) run.emit(interrupted)
    run.live({ type: 'thinking', iteration: run.state.iteration + 1 })
    const { plan } = run
    const definitions = toolDefinitions(run.agent)
    const tools = offered(definitions instanceof Promise ? await definitions : definitions, run)
    const heard = hearBefore(run)
    const request: ModelRequest = {
      ...settings,
      ...plan.settings,
      prompt: run.prompt.messages(hearable(run), instructionsOf(run)),
      ...(tools.length > 0 && { tools, toolChoice: plan.toolChoice ?? settings.toolChoice ?? { type: 'auto' } }),
    }
    const { models = run.agent.models, beside } = plan
    const key = `${run.state.iteration + 1}/model`
    const drafts = new DraftKeeper(run)
    const prompting = { ...persisting, key, models, request, tell: () => drafts.attempt(inputTeller(run)) }
    const kept = keepMeanwhile(run)
    // A page that goes away while its person reads what comes would lose what was asked.
    if (kept && run.state.pending.length > 0) await kept.then(undefined, ignore)
    let asking: AskedBeside
    try {
      asking = beside ? await askBeside(run, prompting, beside) : { asked: await askModels(run, prompting) }
    } finally {
      drafts.end()
    }
    const { asked: thought, outcome } = asking
    try {
      // Before the turn is told, so that it is written together with the calls that it makes.
      if (kept) await kept
    } finally {
      run.emit({ type: 'thought', heard: outcome ? 0 : heard, ...thought })
      refuseUnoffered(run, { ...plan, toolChoice: plan.toolChoice ?? settings.toolChoice })
      if (plan.maxCalls !== undefined) refuseBeyond(run, plan.maxCalls)
    }
    if (outcome) return outcome === 'void' ? undefined : outcome
    return thought.error && toSignal(thought.error)
  }
}

function toSignal(error: Failure): Signal {
  return error.code === 'stopped' ? { type: 'stopped', reason: error.message } : { type: 'failed', error }
}

/** The agent's own, or those of the plan, and what its steps add. */
export function instructionsOf({ agent: { instructions, backend }, plan, state }: RunContext): string | undefined {
  const own = plan.instructions ?? (typeof instructions === 'function' ? instructions(state) : instructions)
  return backend.instructions ? [own, backend.instructions].filter(Boolean).join('\n\n') : own
}
