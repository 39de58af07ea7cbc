import type { Ask } from '@interleave/core'
import type { Say } from '../words/words.tsx'

/**
 * Returns a question with the words of the page in place of those that Interleave itself has given it. A tool's own
 * words stay.
 */
export function askIn(say: Say, ask: Ask): Ask {
  switch (ask.kind) {
    case 'approval':
      return ask.prompt === `Allow ${ask.tool}?` ? { ...ask, prompt: say('allowTool', { tool: ask.tool }) } : ask
    case 'confirm':
      return { ...ask, yes: ask.yes === 'Yes' ? say('yes') : ask.yes, no: ask.no === 'No' ? say('no') : ask.no }
    case 'choice':
      return interruptionIn(say, ask)
    case 'extension':
      return extensionIn(say, ask)
    default:
      return ask
  }
}

type AskOf<Kind extends Ask['kind']> = Extract<Ask, { kind: Kind }>

const interrupted = /^(.*) was interrupted and may already have run\. What should happen\?$/s
const decisions = { again: 'runAgain', done: 'alreadyRan', skip: 'skipCall' } as const

/** The question about a call that may already have run. */
function interruptionIn(say: Say, ask: AskOf<'choice'>): AskOf<'choice'> {
  const tool = interrupted.exec(ask.prompt)?.[1]
  const isOwn = ask.options.every(({ value }) => Object.hasOwn(decisions, value))
  if (tool === undefined || !isOwn) return ask
  const options = ask.options.map((option) => ({ ...option, label: say(decisions[option.value as 'again']) }))
  return { ...ask, prompt: say('interrupted', { tool }), options }
}

function extensionIn(say: Say, ask: AskOf<'extension'>): AskOf<'extension'> {
  const { used } = ask
  const limit = limitIn(say, ask)
  if (/^The limit of .* is reached\. Go on\?$/.test(ask.prompt))
    return { ...ask, prompt: say('limitReached', { limit }) }
  const isNear = /^\S+ of .* used\. Go on for longer, or finish now\?$/.test(ask.prompt)
  return isNear ? { ...ask, prompt: say('limitNear', { used: rounded(used), limit }) } : ask
}

const units = {
  iterations: 'iterations',
  toolCalls: 'toolCalls',
  tokens: 'tokens',
  ms: 'milliseconds',
  cost: 'cost',
  visits: 'visits',
} as const

/** Returns a limit with its unit. */
export function limitIn(say: Say, { limit, allowed }: Pick<AskOf<'extension'>, 'limit' | 'allowed'>): string {
  const count = rounded(allowed)
  return Object.hasOwn(units, limit) ? say(units[limit as keyof typeof units], { count }) : `${count} ${limit}`
}

/** An amount without the rounding errors of sums. */
export const rounded = (amount: number): number => Number(amount.toPrecision(12))
