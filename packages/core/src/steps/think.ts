import type { LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { checkOptions } from '#checks'
import { keepMeanwhile } from '../engine/wait.ts'
import { AgentError, type Failure, isConflict } from '../error.ts'
import type { ModelRequest } from '../host.ts'
import type { ModelSettings, TurnPlan } from '../plan.ts'
import type { RunContext, Step } from '../run.ts'
import { failed, type Signal } from '../signal.ts'
import { awaitsThought, openCalls } from '../state.ts'
import { readUntilOf, refuseCall, stateForTurn } from '../step.ts'
import { turnCode } from '../tool.ts'
import { askModels, type Persistence, type Persisting, type Prompting, persisting } from './askModels.ts'
import type { ModelTurn } from './callModel.ts'
import { instructionsOf } from './instructions.ts'
import { modelTools, toolDefinitions } from './toolDefinitions.ts'

export interface ThinkOptions extends Persistence {
  /** Temperature, output tokens, reasoning effort and the rest of the model's own settings. */
  settings?: ModelSettings
}

/** Calls the model if there is something that it has not answered yet. */
export function think(options: ThinkOptions = {}): Step {
  checkOptions('think()', options, ['settings', 'retries', 'retryDelayMs', 'caps'])
  return thinkStep(persisting(options), options.settings)
}

/** Creates the step of `think()`, from options that are valid. */
export const thinkStep =
  (persisting: Persisting, settings: ModelSettings = {}): Step =>
  async (run) => {
    if (!awaitsThought(stateForTurn(run))) return undefined
    const interrupted = run.engine?.interruptedTurn(run)
    if (interrupted) run.emit(interrupted)
    const { plan } = run
    const loading = toolDefinitions(run.agent)
    const definitions = loading instanceof Promise ? await loading : loading
    // In the same tick as the prompt: the event marks which messages are in it.
    run.live({ type: 'thinking', iteration: run.state.iteration + 1 })
    const readUntil = readUntilOf(run)
    const toolChoice = plan.toolChoice ?? settings.toolChoice
    const tools = modelTools(definitions, run)
    const prompt = run.prompt.messages(stateForTurn(run), instructionsOf(run))
    const request: ModelRequest = { ...settings, ...plan.settings, prompt }
    if (tools.length > 0) {
      request.tools = tools
      request.toolChoice = toolChoice ?? { type: 'auto' }
    }
    const saved = keepMeanwhile(run)
    // If the page closed while its user reads the answer, the question would be lost.
    const stale = saved && run.state.pending.length > 0 && (await saved.then(() => undefined, endIfStale))
    if (stale) return stale
    const drafts = run.engine?.drafts(run)
    const prompting: Prompting = {
      ...persisting,
      key: `${run.state.iteration + 1}/model`,
      models: plan.models ?? run.agent.models,
      request,
      receiver: () => drafts?.attempt(receiverOf(run)) ?? receiverOf(run),
    }
    let result: ConcurrentTurn
    try {
      result = plan.concurrent
        ? await plan.concurrent.ask(plan.concurrent.work, run.abortSignal, (abortSignal) =>
            askModels(run.with({ abortSignal }), prompting),
          )
        : { turn: await askModels(run, prompting) }
    } finally {
      drafts?.end()
    }
    const { outcome, error } = result
    const turn: ModelTurn = error ? { ...result.turn, parts: [], error } : result.turn
    try {
      // Before the turn is emitted, so that it is written together with the calls that it makes.
      if (saved) await saved
    } finally {
      run.emit({ type: 'thought', readUntil: outcome ? 0 : readUntil, ...turn })
      refuseUnoffered(run, plan.tools, toolChoice)
      if (plan.after) for (const check of plan.after) check()
    }
    if (outcome) return outcome === 'void' ? undefined : outcome
    return turn.error && toSignal(turn.error)
  }

/** Returns the receiver of an attempt's deltas: the run, or the code of a tool that reads its input while it streams. */
const receiverOf = (run: RunContext): RunContext['live'] => turnCode(run.agent.tools).receiver?.(run) ?? run.live

/** Ends the run of a stale owner. Any other failed write does not withhold the turn from the user. */
const endIfStale = (error: unknown): Signal | undefined => (isConflict(error) ? failed(error) : undefined)

function toSignal(error: Failure): Signal {
  return error.code === 'stopped' ? { type: 'stopped', reason: error.message } : { type: 'failed', error }
}

/** A turn and the outcome of its concurrent work. With an outcome, only the usage of the turn counts. */
interface ConcurrentTurn {
  readonly turn: ModelTurn
  readonly outcome?: Signal | 'void'
  readonly error?: Failure
}

/** Rejects calls that the turn's plan excluded, together with the turn: the plan is unknown after a reload. */
function refuseUnoffered(
  run: RunContext,
  tools: TurnPlan['tools'],
  toolChoice: LanguageModelV4ToolChoice | undefined,
): void {
  const allowed = toolChoice?.type === 'none' ? [] : tools
  if (!allowed) return
  for (const { key, name, approvalId } of openCalls(run.state)) {
    const spec = run.agent.tools[name]
    if (!spec || spec.terminal || approvalId !== undefined || allowed.includes(name)) continue
    refuseCall(run, key, new AgentError('tool_unknown', `"${name}" cannot be called in this turn.`))
  }
}
