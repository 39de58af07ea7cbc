import { type JsonStep, listedCalls, readJsonStep, readMarkedStep } from './calledJson.ts'
import { calls } from './calls.ts'
import { isBlank } from './characters.ts'
import { JsonEnd } from './json.ts'
import { readJson } from './mendJson.ts'
import { emitCall, isFinishing, resolveName } from './names.ts'
import { isLabel, isOwnObservation, type Part, type Step, textFrom } from './step.ts'

export interface JsonOptions {
  /**
   * The condition under which JSON is the step: `Action:` precedes it, it looks like one, it looks like one and no answer follows
   * it, or it looks like one and ends the text.
   */
  readonly counts: 'marked' | 'alike' | 'alike and unanswered' | 'alike and last'
  /** Text before the JSON that belongs to it, such as a fence. */
  readonly before?: string
  /** Continues after JSON that is not a step, if it is in a fence. */
  readonly behind?: (step: Step) => Part
}

/** Reads JSON that may be the step. If it is not, it is a thought, with the text that belongs to it. */
export function* jsonStep(step: Step, options: JsonOptions): Part {
  const { counts, before = '', behind } = options
  const chunks: string[] = []
  const end = new JsonEnd()
  let isObserved = false
  let token = yield* step.next()
  for (; token; token = yield* step.next()) {
    if (!end.inString && (token.type === 'label' || token.type === 'fence')) break
    const ending = end.find(token.text)
    chunks.push(token.text.slice(0, ending))
    if (ending === undefined) {
      isObserved ||= isOwnObservation(token) && !end.inString
      continue
    }
    token = textFrom(token, ending)
    break
  }
  step.unread(token)
  const json = chunks.join('')
  const found = readStep(step, json, counts)
  const isStep = found.call !== undefined || found.answer !== undefined
  if (isStep && counts.startsWith('alike and'))
    return yield* lastStep(step, found, { ...options, before: before + json })
  if (isStep && step.dialect.several && !found.answer) {
    emitSeveral(step, json)
    return yield* calls(step, { isFenced: behind !== undefined })
  }
  if (emit(step, found)) return 'done'
  if (isObserved) return step.refuseObservation()
  if (found.thought === undefined) step.think(before + json)
  return behind && token?.type !== 'label' ? yield* behind(step) : undefined
}

/** Reads JSON that is the step only if nothing follows it, or an invented observation. Otherwise it is an example. */
function* lastStep(step: Step, found: JsonStep, { counts, before = '', behind }: JsonOptions): Part {
  let held = before
  let isFenced = behind !== undefined
  for (;;) {
    const token = yield* step.next()
    if (!token || isLabel(token, 'observation')) {
      emit(step, found)
      return 'done'
    }
    const isClosing = token.type === 'fence' && isFenced
    if (!isClosing && (token.type !== 'text' || !isBlank(token.text))) {
      if (counts === 'alike and unanswered' && !isLabel(token, 'answer')) {
        emit(step, found)
        return 'done'
      }
      step.think(held)
      step.unread(token)
      return isFenced && behind ? yield* behind(step) : undefined
    }
    if (isClosing) isFenced = false
    held += token.text
  }
}

function emitSeveral(step: Step, json: string): void {
  for (const one of listedCalls(readJson(json)?.value ?? null)) {
    const { thought, call } = readMarkedStep(one)
    if (thought !== undefined) step.out.thought(thought)
    if (call) emitCall(step, call)
    else step.out.invalid(JSON.stringify(one), 'This is no call. Write a name and arguments.')
  }
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

/** Returns whether the JSON was the whole step. */
function emit(step: Step, { thought, call, answer }: JsonStep): boolean {
  if (thought !== undefined) step.out.thought(thought)
  if (call) emitCall(step, call)
  else if (answer !== undefined) step.out.finish(answer)
  return call !== undefined || answer !== undefined
}
