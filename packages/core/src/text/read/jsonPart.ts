import { giveCall } from './give.ts'
import { createJsonEnd } from './jsonEnd.ts'
import { goBack, type Part, type PartResult, type Step, think } from './part.ts'
import { readJson } from './readJson.ts'
import { type JsonStep, readJsonStep } from './readJsonStep.ts'
import type { Token } from './token.ts'

/** JSON that may be the step. If it is not, it is thought, with what stood before it. */
export function jsonPart(step: Step, before = ''): Part {
  const pieces: string[] = []
  const end = createJsonEnd()

  /** `behind` is what belongs to prose again, if this is no step. */
  const settle = (behind: string): 'done' | 'prose' => {
    const reading = readJson(pieces.join(''))
    const found = reading ? readJsonStep(reading.value) : {}
    if (give(step, found)) return 'done'
    think(step, found.thought === undefined ? before + pieces.join('') + behind : behind)
    return 'prose'
  }

  const takeText = (text: string): PartResult => {
    const place = end.find(text)
    pieces.push(text.slice(0, place))
    if (place === undefined) return 'more'
    return settle(text.slice(place)) === 'done' ? 'done' : goBack()
  }

  const isOver = (token: Token): boolean => !end.inString && (token.type === 'label' || token.type === 'fence')

  return {
    take(token) {
      if (!isOver(token)) return takeText(token.text)
      return settle('') === 'done' ? 'done' : goBack(token)
    },
    end() {
      settle('')
    },
  }
}

/** Whether it was the whole step. */
function give(step: Step, { thought, call, answer }: JsonStep): boolean {
  if (thought !== undefined) step.out.thought(thought)
  if (call) giveCall(step, call)
  else if (answer !== undefined) step.out.finish(answer)
  return call !== undefined || answer !== undefined
}
