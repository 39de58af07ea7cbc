import { answerPart } from './answerPart.ts'
import { anyActionPart } from './anyActionPart.ts'
import { bracketPart } from './bracketPart.ts'
import { callWrappers, observationTag } from './callTags.ts'
import type { Dialect } from './dialect.ts'
import { fencePart } from './fencePart.ts'
import { type JsonOptions, jsonPart } from './jsonPart.ts'
import { linesPart } from './linesPart.ts'
import { goTo, ownObservation, type Part, type PartResult, refuse, type Step, think, thinkOrRefuse } from './part.ts'
import { isThinkCloser, tagPart } from './tagPart.ts'
import type { Label, Token } from './token.ts'

/** Reads the text at the beginning and between other parts: thoughts. Its marks lead to the other parts. */
export const prose = (step: Step): Part => ({
  take(token) {
    if (step.quotes.isFenced && !step.isFenced) return thinkOrRefuse(step, token.text)
    switch (token.type) {
      case 'text':
        break
      case 'label':
        return takeLabel(step, token)
      case 'fence':
        return goTo(fencePart(step, { fence: token, json: jsonInFence(step) }))
      case 'open':
        return takeOpen(step, token)
      case 'tag': {
        if (step.quotes.isQuoting && !isThinkCloser(token.text)) break
        if (callWrappers.has(token.text)) return 'more'
        if (token.text === observationTag) return refuse(step, ownObservation)
        const part = tagPart(step, token.text)
        if (part) return { part, tokens: [] }
        if (isThinkCloser(token.text) || token.text === '<end_code>') return takeStrayTag(step)
      }
    }
    return thinkOrRefuse(step, token.text)
  },
  end() {},
})

/** A tag that may come alone: what opens it stood in the prompt, or it closes what another mark opened. */
function takeStrayTag(step: Step): 'more' {
  step.hasProse = false
  return 'more'
}

function takeLabel(step: Step, { label, text }: { label: Label; text: string }): PartResult {
  const isFirst = !step.isLabelled
  step.isLabelled = true
  step.observations?.read(text)
  if (label === 'observation') return takeObservation(step, { text, isFirst })
  step.isSkipping = false
  if (label === 'action') return goTo(actionPart(step))
  if (label === 'answer') return goTo(answerPart(step))
  if (label === 'input') return refuse(step, 'There is an input, but no action before it. Name the tool first.')
  if (!isFirst && step.dialect.observation === 'is thought') think(step, text)
  return 'more'
}

function takeObservation(step: Step, { text, isFirst }: { text: string; isFirst: boolean }): PartResult {
  const { observation } = step.dialect
  if (observation === 'is thought' && !(isFirst && !step.hasProse)) think(step, text)
  else if (observation === 'is skipped' && isFirst && !step.hasProse) step.isSkipping = true
  else return refuse(step, ownObservation)
  return 'more'
}

function actionPart(step: Step): Part {
  const { action } = step.dialect
  if (action === 'any') return anyActionPart(step)
  return action === 'brackets' ? bracketPart(step) : linesPart(step)
}

function takeOpen(step: Step, token: Token): PartResult {
  const counts = isBeginning(step) ? whenAlone[step.dialect.json] : whenBehind[step.dialect.json]
  if (counts) {
    step.observations?.read(token.text)
    return goTo(jsonPart(step, { counts }), token)
  }
  return thinkOrRefuse(step, token.text)
}

const jsonInFence = (step: Step): JsonCounts =>
  isBeginning(step) ? whenAlone[step.dialect.json] : whenFenced[step.dialect.json]

const isBeginning = ({ hasProse, isLabelled }: Step): boolean => !hasProse && !isLabelled

type JsonCounts = JsonOptions['counts'] | undefined
type Counting = Readonly<Record<Dialect['json'], JsonCounts>>

/** When JSON is the step: with nothing before it, in a fence behind prose, and in the midst of prose. */
const whenAlone: Counting = { fenced: 'alike', last: 'alike', alone: 'alike', nowhere: undefined }
const whenFenced: Counting = { fenced: 'alike', last: 'alike and last', alone: undefined, nowhere: undefined }
const whenBehind: Counting = { fenced: 'alike and last', last: 'alike and last', alone: undefined, nowhere: undefined }
