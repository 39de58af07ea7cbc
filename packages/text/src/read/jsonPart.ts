import { moreCallsPart } from './callsPart.ts'
import { isBlank } from './characters.ts'
import { giveCall, isFinishing } from './give.ts'
import { createJsonEnd } from './jsonEnd.ts'
import { type Change, goBack, goTo, type Part, type PartResult, type Step, think } from './part.ts'
import { readJson } from './readJson.ts'
import { type JsonStep, listedCalls, readJsonStep, readMarkedStep } from './readJsonStep.ts'
import { resolveName } from './resolveName.ts'
import type { Token } from './token.ts'

export interface JsonOptions {
  /**
   * The condition under which JSON is the step: `Action:` precedes it, it looks like one, or it looks like one and ends
   * the text.
   */
  readonly counts: 'marked' | 'alike' | 'alike and last'
  /** The text before the JSON that belongs to it, such as a fence. */
  readonly before?: string
  /** The reader after JSON that is not a step. Prose by default. */
  readonly behind?: Part
}

/** JSON that may be the step. If it is not, it is thought, with what stood before it. */
export function jsonPart(step: Step, { counts, before = '', behind }: JsonOptions): Part {
  const pieces: string[] = []
  const end = createJsonEnd()
  let held: HeldStep | undefined

  /** `rest` is what no longer belongs to the JSON, if this is no step. */
  const settle = (rest: string): PartResult => {
    const json = pieces.join('')
    const found = readStep(step, json, counts)
    const isStep = found.call !== undefined || found.answer !== undefined
    if (isStep && counts === 'alike and last') {
      held = { found, json, behind: [], isFenced: behind !== undefined }
      return rest === '' ? 'more' : takeBehind(held, { type: 'text', text: rest })
    }
    if (isStep && step.dialect.several && !found.answer) return giveSeveral(json, rest)
    if (give(step, found)) return 'done'
    if (found.thought === undefined) think(step, before + json)
    return rest === '' ? leave() : leave({ type: 'text', text: rest })
  }

  const giveSeveral = (json: string, rest: string): PartResult => {
    for (const one of listedCalls(readJson(json)?.value ?? null)) {
      const { thought, call } = readStep(step, JSON.stringify(one), 'marked')
      if (thought !== undefined) step.out.thought(thought)
      if (call) giveCall(step, call)
      else step.out.invalid(JSON.stringify(one), 'This is no call. Write a name and arguments.')
    }
    return goTo(moreCallsPart(step, { isFenced: behind !== undefined }), { type: 'text', text: rest })
  }

  const leave = (...tokens: readonly Token[]): Change => (behind ? goTo(behind, ...tokens) : goBack(...tokens))

  const takeText = (text: string): PartResult => {
    const place = end.find(text)
    pieces.push(text.slice(0, place))
    return place === undefined ? 'more' : settle(text.slice(place))
  }

  const isOver = (token: Token): boolean => !end.inString && (token.type === 'label' || token.type === 'fence')

  /** A step that something follows is an example of one. An invented observation shows that it was meant. */
  const takeBehind = (waiting: HeldStep, token: Token): PartResult => {
    if (token.type === 'label' && token.label === 'observation') {
      give(step, waiting.found)
      return 'done'
    }
    const isClosing = token.type === 'fence' && waiting.isFenced
    if (isClosing) waiting.isFenced = false
    if (isClosing || (token.type === 'text' && isBlank(token.text))) {
      waiting.behind.push(token.text)
      step.observations?.read(token.text)
      return 'more'
    }
    think(step, before + waiting.json + waiting.behind.join(''))
    return waiting.isFenced ? leave(token) : goBack(token)
  }

  return {
    take(token) {
      if (held) return takeBehind(held, token)
      if (!isOver(token)) return takeText(token.text)
      const result = settle('')
      if (result === 'done') return 'done'
      if (step.out.hasResult && result !== 'more') return { ...result, tokens: [...result.tokens, token] }
      if (held) return takeBehind(held, token)
      return token.type === 'label' ? goBack(token) : leave(token)
    },
    end() {
      if (!held) settle('')
      if (held) give(step, held.found)
    },
  }
}

interface HeldStep {
  readonly found: JsonStep
  readonly json: string
  /** White space, and the fence that closes the one in which the JSON stands. */
  readonly behind: string[]
  isFenced: boolean
}

function readStep({ dialect, tools }: Step, json: string, counts: JsonOptions['counts']): JsonStep {
  const reading = readJson(json)
  if (!reading) return {}
  if (counts === 'marked') return readMarkedStep(reading.value)
  return readJsonStep(reading.value, (written) => {
    const name = resolveName(written, tools)
    return isFinishing(dialect, name) || tools?.includes(name)
  })
}

/** Returns true if it was the whole step. */
function give(step: Step, { thought, call, answer }: JsonStep): boolean {
  if (thought !== undefined) step.out.thought(thought)
  if (call) giveCall(step, call)
  else if (answer !== undefined) step.out.finish(answer)
  return call !== undefined || answer !== undefined
}
