import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { defaultLabels, type TextLabels } from './format.ts'
import { StepText } from './stepText.ts'
import { asText, malformedParts, type StepOutcome, StepTranslator } from './stepTranslator.ts'
import { addStepUsage, finishedWith, type StepUsage, usageOf } from './stepUsage.ts'
import { afterThought, type TextCall } from './textCall.ts'
import type { TextEvent } from './textEvent.ts'

type StreamPart = LanguageModelV4StreamPart
type FinishPart = Extract<StreamPart, { type: 'finish' }>

/** Turns the parts of one stream of text into those of a model that calls tools. */
export class StepReader {
  readonly #call: TextCall
  readonly #step: StepText
  readonly #translator: StepTranslator
  #finish: FinishPart | undefined
  /** All that the model wrote, for an estimate of its tokens. */
  #written = ''
  /** After the end, if it was a separate thought: the call that continues the same step. */
  next: TextCall | undefined

  constructor(call: TextCall) {
    const step = new StepText(call.text)
    this.#call = call
    this.#step = step
    this.#translator = new StepTranslator({ ...call.calls, thoughtsAsText: () => step.isPlain })
  }

  /** True if no further part is needed: the stream can be cancelled. */
  get complete(): boolean {
    return this.#step.complete
  }

  /** Takes the rest of a stream whose step was whole before: it can only add tokens. */
  takeRest({ text, finish }: { readonly text: string; readonly finish?: FinishPart }): void {
    this.#written += text
    if (finish) this.#finish = endingOf(finish) === 'whole' ? finish : { ...finish, finishReason: givenUp }
  }

  take(part: StreamPart): readonly StreamPart[] {
    const { warnings, spent } = this.#call
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') this.#written += part.delta
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        return []
      case 'text-delta':
        return this.#translate(this.#step.read(part.delta))
      case 'stream-start':
        // Spread would fill the holes of a list whose length is all that a provider sent of it.
        return spent ? [] : [{ ...part, warnings: part.warnings.concat(warnings) }]
      case 'finish':
        this.#finish = part
        return []
      case 'tool-call':
        // Some servers parse calls in the text themselves.
        this.#translator.outcome.called = true
        return [part]
      default:
        return [part]
    }
  }

  /** Ends the step: its stream is over, or no longer needed. */
  end(): readonly StreamPart[] {
    const call = this.#call
    const step = this.#step
    const translator = this.#translator
    const isWhole = step.done
    const ending = isWhole ? 'whole' : endingOf(this.#finish)
    const events = step.end()
    const parts = this.#translate(ending === 'whole' ? events : events.flatMap(withoutCalls))
    if (ending === 'whole' && call.thoughts > 0 && isThought(translator.outcome)) {
      this.next = afterThought(call, step.text, this.#usage())
      return [...parts, ...translator.close()]
    }
    return [...parts, ...this.#settle(ending), ...this.#finished(ending, isWhole)]
  }

  /** Ends the step, with a problem if there is none. */
  #settle(ending: Ending): readonly StreamPart[] {
    const step = this.#step
    const translator = this.#translator
    const { outcome } = translator
    if (ending === 'broken' || ending === 'filtered') return translator.close()
    const isOpen = !outcome.acted && !outcome.called && !outcome.answered
    const plain = isOpen && step.plainAnswer !== undefined ? translator.answer(step.plainAnswer) : []
    const isCutAnswer = ending === 'length' && translator.answersByTool
    if (outcome.acted || outcome.called || (outcome.answered && !isCutAnswer)) return [...plain, ...translator.end()]
    const problem = ending === 'length' ? cutOff : (outcome.problem ?? (outcome.thought ? noAction : empty))
    outcome.acted = true
    const message = inOwnWords(problem, this.#call.text.reading.labels)
    return [...translator.close(), ...malformedParts({ ...this.#call, text: step.text, message })]
  }

  #translate(events: readonly TextEvent[]): readonly StreamPart[] {
    return events.flatMap((event) => this.#translator.read(event))
  }
  #usage(): StepUsage {
    const { spent, options } = this.#call
    const own = usageOf(this.#finish ?? {}, options, this.#written)
    return spent ? addStepUsage(spent, own) : own
  }
  #finished(ending: Ending, isWhole: boolean): readonly FinishPart[] {
    if (!this.#finish && !isWhole) return []
    const { finishReason: { unified, raw } = givenUp, ...rest } = this.#finish ?? {}
    const finishReason: LanguageModelV4FinishReason = {
      // Calls of a failed turn do not make it a complete one.
      unified: this.#translator.outcome.acted && ending !== 'broken' ? 'tool-calls' : unified,
      raw: isWhole ? (raw ?? givenUp.raw) : raw,
    }
    return [{ type: 'finish', finishReason, ...finishedWith(this.#usage(), rest) }]
  }
}

const isThought = ({ thought, acted, called, answered, problem }: StepOutcome): boolean =>
  thought && !acted && !called && !answered && problem === undefined

/** Drops calls that the model did not end itself, and reports them to the model. */
function withoutCalls(event: TextEvent): readonly TextEvent[] {
  if (event.type === 'problem') return []
  if (event.type === 'action') return [{ type: 'invalid', text: asText(event), message: cutOff }]
  return [event.type === 'invalid' ? { ...event, message: cutOff } : event]
}
const noAction = 'The message held a thought and no action. Act now.'
const empty = 'The message held nothing that could be read as a step.'
const cutOff = 'The message was too long and was cut off before the step was whole. Write less.'

type Ending = 'whole' | 'length' | 'filtered' | 'broken'

function endingOf(finish: FinishPart | undefined): Ending {
  const { unified, raw } = finish?.finishReason ?? { unified: 'interrupted', raw: undefined }
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'filtered'
  const isBroken = unified === 'error' || unified === 'interrupted' || (unified === 'other' && raw === undefined)
  return isBroken ? 'broken' : 'whole'
}

const givenUp: LanguageModelV4FinishReason = { unified: 'stop', raw: 'step-complete' }

/** Rewrites a problem with the app's own labels. */
const inOwnWords = (problem: string, own: Partial<TextLabels> = {}): string =>
  Object.entries(own).reduce(
    (text, [name, label]) => text.replaceAll(`"${defaultLabels[name as keyof TextLabels]}:"`, `"${label}:"`),
    problem,
  )
