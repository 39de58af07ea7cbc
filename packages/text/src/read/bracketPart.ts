import { findLineEnd, isBlank } from './characters.ts'
import { giveCall } from './give.ts'
import { goBack, ownObservation, type Part, type PartResult, refuse, type Step, thinkOrRefuse } from './part.ts'
import { createBracketDepth, readBracket } from './readBracket.ts'
import { isNoTool } from './resolveName.ts'
import type { Token } from './token.ts'

interface BracketOptions {
  /** There was no label, so what is no action, or comes before one with a label, is a thought. */
  readonly isBare: boolean
}

/**
 * Reads what follows `Action:` if it is `search[Paris]`, up to the next label. `Action:` within the brackets is part of the
 * input; behind them it begins a second action, and only the first one counts. `think[…]` is a thought, so an action may
 * follow it.
 */
export function bracketPart(step: Step, { isBare }: BracketOptions = { isBare: false }): Part {
  const pieces: string[] = []
  const depth = createBracketDepth()
  let hasAction = false
  let isAlone = true

  const settle = (...behind: readonly Token[]): PartResult => {
    const text = pieces.join('')
    const action = text.trim()
    const whole = readBracket(depth.end === undefined ? text : text.slice(0, depth.end))
    const call = isAlone || depth.isClosed ? (whole ?? readFirstLine(action)) : undefined
    if (call?.tool === 'think' || (!call && action.startsWith('think['))) {
      const rest = call && depth.end !== undefined ? text.slice(depth.end) : ''
      if (step.observations?.read(`\n${rest}`) !== undefined) return refuse(step, ownObservation)
      step.out.thought(`${call ? call.input + rest : action.slice('think['.length)}\n`)
      step.isThoughtAlone = true
      return goBack(...behind)
    }
    if (!call || isNoTool(call.tool)) return isBare ? beThought(...behind) : refuse(step, complaintAbout(action))
    giveCall(step, call)
    return 'done'
  }

  const beThought = (...behind: readonly Token[]): PartResult => {
    return thinkOrRefuse(step, pieces.join('')) === 'done' ? 'done' : goBack(...behind)
  }

  const takeAction = (token: Token): PartResult => {
    if (isBare) return beThought(token)
    if (!hasAction) return 'more'
    if (depth.isClosed) return settle(token)
    isAlone = false
    return add(token)
  }

  const add = ({ text }: Token): 'more' => {
    hasAction ||= !isBlank(text)
    depth.read(text)
    pieces.push(text)
    return 'more'
  }

  const isOver = (token: Token): boolean =>
    token.type === 'label'
      ? isBare || token.label === 'thought' || token.label === 'observation'
      : token.type === 'fence' && step.isFenced

  return {
    take(token) {
      if (token.type === 'label' && token.label === 'action') return takeAction(token)
      return isOver(token) ? settle(token) : add(token)
    },
    end() {
      settle()
    },
  }
}

/** Reads an action with a closing word below it, such as "I hope this helps!". */
function readFirstLine(action: string): ReturnType<typeof readBracket> {
  const end = findLineEnd(action)
  return end < 0 ? undefined : readBracket(action.slice(0, end))
}

function complaintAbout(action: string): string {
  const shown = action.length > 80 ? `${action.slice(0, 80)}…` : action
  if (action === '') return 'After "Action:" there is nothing.'
  if (!action.includes('[')) return `The action "${shown}" has no input. Write it in brackets, as in "search[Paris]".`
  return `The action "${shown}" does not end with its closing bracket. Write one action and nothing behind it.`
}
