import { findLineEnd } from './characters.ts'
import { giveCall } from './give.ts'
import { goBack, type Part, type PartResult, refuse, type Step, think } from './part.ts'
import { readBracket } from './readBracket.ts'
import { isNoTool } from './resolveName.ts'
import type { Token } from './token.ts'

interface BracketOptions {
  /** There was no label, so what is no action, or comes before one with a label, is a thought. */
  readonly isBare: boolean
}

/**
 * What follows `Action:` where it is `search[Paris]`. It goes on to the next thought or observation: the published
 * harnesses take all of it for one action, also where the model wrote several.
 */
export function bracketPart(step: Step, { isBare }: BracketOptions = { isBare: false }): Part {
  const pieces: string[] = []
  let isAlone = true

  const settle = (...behind: readonly Token[]): PartResult => {
    const action = pieces.join('').trim()
    const call = readBracket(action) ?? (isAlone ? readFirstLine(action) : undefined)
    if (call?.tool === 'think' || (!call && action.startsWith('think['))) {
      step.out.thought(call?.input ?? action.slice('think['.length))
      step.isThoughtAlone = true
    } else if (call && !isNoTool(call.tool)) giveCall(step, call)
    else return isBare ? beThought(...behind) : refuse(step, complaintAbout(action))
    return 'done'
  }

  const beThought = (...behind: readonly Token[]): PartResult => {
    think(step, pieces.join(''))
    return goBack(...behind)
  }

  const isOver = (token: Token): boolean =>
    token.type === 'label'
      ? isBare || token.label === 'thought' || token.label === 'observation'
      : token.type === 'fence' && step.isFenced

  return {
    take(token) {
      if (isBare && token.type === 'label' && token.label === 'action') return beThought(token)
      if (isOver(token)) return settle(token)
      isAlone &&= token.type !== 'label' || token.label !== 'action'
      pieces.push(token.text)
      return 'more'
    },
    end() {
      settle()
    },
  }
}

/** An action with a closing word below it, such as "I hope this helps!". */
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
