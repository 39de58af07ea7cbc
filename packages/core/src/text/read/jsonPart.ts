import { giveCall } from './give.ts'
import { createJsonEnd } from './jsonEnd.ts'
import { type Change, goBack, goTo, type Part, type PartResult, type Step, think } from './part.ts'
import { readJson } from './readJson.ts'
import { type JsonStep, readJsonStep } from './readJsonStep.ts'
import type { Token } from './token.ts'

interface JsonOptions {
  /** What stood before the JSON and belongs to it, such as a fence. */
  readonly before: string
  /** What reads on behind JSON that is no step. Prose, if it is left out. */
  readonly behind?: Part
}

/** JSON that may be the step. If it is not, it is thought, with what stood before it. */
export function jsonPart(step: Step, { before, behind }: JsonOptions = { before: '' }): Part {
  const pieces: string[] = []
  const end = createJsonEnd()

  /** `rest` is what no longer belongs to the JSON, if this is no step. */
  const settle = (rest: string): 'done' | 'thought' => {
    const reading = readJson(pieces.join(''))
    const found = reading ? readJsonStep(reading.value) : {}
    if (give(step, found)) return 'done'
    think(step, found.thought === undefined ? before + pieces.join('') + rest : rest)
    return 'thought'
  }

  const leave = (...tokens: readonly Token[]): Change => (behind ? goTo(behind, ...tokens) : goBack(...tokens))

  const takeText = (text: string): PartResult => {
    const place = end.find(text)
    pieces.push(text.slice(0, place))
    if (place === undefined) return 'more'
    return settle(text.slice(place)) === 'done' ? 'done' : leave()
  }

  const isOver = (token: Token): boolean => !end.inString && (token.type === 'label' || token.type === 'fence')

  return {
    take(token) {
      if (!isOver(token)) return takeText(token.text)
      if (settle('') === 'done') return 'done'
      return token.type === 'label' ? goBack(token) : leave(token)
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
