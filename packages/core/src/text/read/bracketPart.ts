import { findLineEnd } from './characters.ts'
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
  let isAlone = true

  const settle = (): 'done' => {
    const action = pieces.join('').trim()
    const call = readBracket(action) ?? (isAlone ? readFirstLine(action) : undefined)
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
