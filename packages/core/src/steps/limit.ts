import { demand } from '../demand.ts'
import type { BudgetName, Limits } from '../limit.ts'
import { awaitsThought } from '../openCalls.ts'
import type { Ask, ExtensionQuestion } from '../question.ts'
import type { RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import type { RunState } from '../state.ts'

const used: Record<BudgetName, (state: RunState, now: number) => number> = {
  iterations: (state) => state.iteration - state.request.iteration,
  tokens: ({ usage, request }) =>
    usage.inputTokens + usage.outputTokens - request.usage.inputTokens - request.usage.outputTokens,
  cost: ({ usage, request }) => usage.cost - request.usage.cost,
  toolCalls: (state) => state.toolCalls - state.request.toolCalls,
  ms: ({ request }, now) => now - request.startedAt - request.restedMs,
}

/**
 * Rests before a turn that would begin at or beyond a limit. Limits count from the user's latest message. The rest holds a
 * question: the reply extends the limit, or ends the run.
 */
export function limit(limits: Limits): Step {
  const names = Object.keys(limits) as BudgetName[]
  for (const name of names) checkLimit(name, limits[name])

  return (run) => {
    if (!awaitsThought(run.state)) return undefined
    for (const name of names) {
      const allowed = (limits[name] ?? 0) + (run.state.extensions[name] ?? 0)
      const amount = used[name](run.state, run.host.now())
      if (amount >= allowed) return reached(run, { limit: name, used: amount, allowed, suggested: limits[name] ?? 0 })
    }
    return undefined
  }
}

function checkLimit(name: string, value: number | undefined): void {
  const names = Object.keys(used)
  demand(names.includes(name), `There is no limit "${name}". The limits are: ${names.join(', ')}.`)
  demand(
    typeof value === 'number' && value > 0,
    `The limit ${name} is ${value}. Give a number above 0, or leave it out.`,
  )
}

type Reached = Pick<ExtensionQuestion, 'used' | 'allowed' | 'suggested'> & { readonly limit: BudgetName }

function reached(run: RunContext, reading: Reached): Signal {
  const { limit: name, used: amount, allowed } = reading
  const id = `${run.state.request.iteration}/limit/${name}/${allowed}`
  const prompt = `The limit of ${allowed} ${labels[name]} is reached. Go on?`
  const ask: Ask = { kind: 'extension', prompt, ...reading, id }
  if (!run.state.asks.some((open) => open.id === id)) run.emit({ type: 'asked', ask })
  return { type: 'limitReached', limit: name, used: amount, allowed, ask }
}

const labels: Record<BudgetName, string> = {
  iterations: 'iterations',
  tokens: 'tokens',
  cost: 'of cost',
  toolCalls: 'tool calls',
  ms: 'milliseconds',
}
