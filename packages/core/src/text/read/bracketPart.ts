import { giveCall } from './give.ts'
import { type Part, refuse, type Step } from './part.ts'
import { readBracket } from './readBracket.ts'
import { isNoTool } from './resolveName.ts'
import type { Token } from './token.ts'

/**
 * What follows `Action:` where it is `search[Paris]`. It goes on to the next thought or observation: the published
 * harnesses take all of it for one action, also where the model wrote several.
 */
export function bracketPart(step: Step): Part {
  const pieces: string[] = []

  const settle = (): 'done' => {
    const action = pieces.join('').trim()
    const call = readBracket(action)
    if (call?.tool === 'think' || (!call && action.startsWith('think['))) {
      step.out.thought(call?.input ?? action.slice('think['.length))
      step.isThoughtAlone = true
    } else if (call && !isNoTool(call.tool)) giveCall(step, call)
    else return refuse(step, complaintAbout(action))
    return 'done'
  }

  const isOver = (token: Token): boolean =>
    token.type === 'label'
      ? token.label === 'thought' || token.label === 'observation'
      : token.type === 'fence' && step.isFenced

  return {
    take(token) {
      if (isOver(token)) return settle()
      pieces.push(token.text)
      return 'more'
    },
    end() {
      settle()
    },
  }
}

function complaintAbout(action: string): string {
  const shown = action.length > 80 ? `${action.slice(0, 80)}…` : action
  if (action === '') return 'After "Action:" there is nothing.'
  if (!action.includes('[')) return `The action "${shown}" has no input. Write it in brackets, as in "search[Paris]".`
  return `The action "${shown}" does not end with its closing bracket. Write one action and nothing behind it.`
}
