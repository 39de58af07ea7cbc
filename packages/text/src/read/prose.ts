import { bracketAction } from './brackets.ts'
import { calls } from './calls.ts'
import { findLineEnd, isBlank, skipSpace } from './characters.ts'
import type { Dialect } from './dialect.ts'
import { fence } from './fences.ts'
import { type JsonOptions, jsonStep } from './jsonStep.ts'
import type { Label } from './label.ts'
import { namedAction } from './lines.ts'
import { emitCommand } from './names.ts'
import type { Token } from './scanner.ts'
import { isLabel, isOwnObservation, type Part, type Reading, type Step } from './step.ts'
import { callTags, callWrappers, observationTags, readThinkTag, type ThinkTag } from './tags.ts'

/** Reads thoughts: all text outside of other parts. Their marks lead to the other parts. */
export function* prose(step: Step): Part {
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    const part = partAt(step, token)
    const end = part === undefined ? think(step, token) : typeof part === 'string' ? part : yield* part
    if (end === 'done') return 'done'
  }
  return undefined
}

/** Adds text to the thought. Refuses the step if the text is an observation that the model wrote itself. */
function think(step: Step, token: Token): 'done' | undefined {
  step.think(token.text)
  return isOwnObservation(token) ? step.refuseObservation() : undefined
}

/** Returns the part that a token begins, or whether it ends the step or is skipped. Undefined if it is text of a thought. */
function partAt(step: Step, token: Token): Part | 'done' | 'skipped' | undefined {
  if (step.quotes.isFenced && !step.isFenced) return undefined
  // A label or a brace may follow a quoted tag.
  if (step.quotes.isQuoting && (token.type === 'label' || token.type === 'open')) return undefined
  switch (token.type) {
    case 'text':
      return undefined
    case 'label':
      return labelPart(step, token)
    case 'fence':
      return fence(step, token, (isBeginning(step) ? whenAlone : whenFenced)[step.dialect.json])
    case 'open': {
      const counts = (isBeginning(step) ? whenAlone : whenBehind)[step.dialect.json]
      if (!counts) return undefined
      step.unread(token)
      return jsonStep(step, { counts })
    }
    case 'tag':
      return tagPart(step, token.text)
  }
}

function labelPart(step: Step, { label, text }: { label: Label; text: string }): Part | 'done' | 'skipped' {
  const isFirst = !step.isLabelled
  step.isLabelled = true
  if (label === 'observation') return takeObservation(step, { text, isFirst })
  step.isSkipping = false
  if (label === 'action') return actionParts[step.dialect.action](step)
  if (label === 'answer') return answer(step)
  if (label === 'input') return step.refuse('There is an input, but no action before it. Name the tool first.')
  if (!isFirst && step.dialect.observation === 'is thought') step.think(text)
  return 'skipped'
}

function takeObservation(step: Step, { text, isFirst }: { text: string; isFirst: boolean }): 'done' | 'skipped' {
  const { observation } = step.dialect
  if (observation === 'is thought' && !(isFirst && !step.hasProse)) step.think(text)
  else if (observation === 'is skipped' && isFirst && !step.hasProse) step.isSkipping = true
  else return step.refuseObservation()
  return 'skipped'
}

const actionParts: Readonly<Record<Dialect['action'], (step: Step) => Part>> = {
  any: anyAction,
  brackets: bracketAction,
  lines: namedAction,
}

const isBeginning = ({ hasProse, isLabelled }: Step): boolean => !hasProse && !isLabelled

type Counting = Readonly<Record<Dialect['json'], JsonOptions['counts'] | undefined>>

/** The cases in which JSON is the step: with nothing before it, in a fence after prose, and within prose. */
const whenAlone: Counting = { fenced: 'alike', last: 'alike', alone: 'alike', nowhere: undefined }
const whenFenced: Counting = {
  fenced: 'alike and unanswered',
  last: 'alike and last',
  alone: undefined,
  nowhere: undefined,
}
const whenBehind: Counting = { fenced: 'alike and last', last: 'alike and last', alone: undefined, nowhere: undefined }

/** Reads the text after `Action:` in an unknown format, which the first line shows. */
function* anyAction(step: Step): Part {
  const held: Token[] = []
  let line = ''
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    if (token.type === 'text') {
      const start = line === '' ? skipSpace(token.text, 0) : 0
      const end = findLineEnd(token.text, start)
      line += token.text.slice(start, end < 0 ? token.text.length : end)
      if (line !== '') held.push(token)
      // The beginning suffices.
      if (end >= 0 || line.length > 200) break
      continue
    }
    if (token.type === 'fence' && line === '') return yield* fence(step, token, 'marked')
    held.push(token)
    if (token.type === 'label' || line !== '') break
    if (token.type === 'open') {
      step.unreadAll(held)
      return yield* jsonStep(step, { counts: 'marked' })
    }
    line += token.text
  }
  step.unreadAll(held)
  return yield* /^\s*[\w-]+\s*\[/.test(line) ? bracketAction(step) : namedAction(step)
}

function tagPart(step: Step, tag: string): Part | 'done' | 'skipped' | undefined {
  const think = readThinkTag(tag)
  if (step.quotes.isQuoting && !think?.isCloser) return undefined
  if (callWrappers.has(tag)) return 'skipped'
  if (observationTags.has(tag)) return step.refuseObservation()
  if (think && !think.isCloser) return reasoning(step, think)
  if (callTags.has(tag)) return calls(step, { tag })
  if (tag === '<command>') return command(step, { close: '</command>', tool: 'shell' })
  if (tag === '<code>') return command(step, { close: '</code>', tool: 'python' })
  if (tag === '<answer>' || tag === '<final_answer>') return taggedAnswer(step, tag.replace('<', '</'))
  if (!think && tag !== '<end_code>') return undefined
  // A tag without an opener, which was in the prompt or is another mark. It ends a quotation, too.
  step.hasProse = false
  step.quotes.read('\n')
  return 'skipped'
}

/** Reads reasoning between tags, which may contain more, each with its own closing tag. It has no other marks. */
function* reasoning(step: Step, { name }: ThinkTag): Part {
  const open = { think: 0, thinking: 0 }
  open[name]++
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    const tag = token.type === 'tag' ? readThinkTag(token.text) : undefined
    if (tag) open[tag.name] = Math.max(0, open[tag.name] + (tag.isCloser ? -1 : 1))
    if (open.think + open.thinking === 0) {
      step.out.thought('\n')
      return undefined
    }
    step.out.thought(token.text)
  }
  return undefined
}

/** Reads a command between tags. Some models write a fence within the tags, or instead of the closing tag. */
function* command(step: Step, { close, tool }: { readonly close: string; readonly tool: string }): Part {
  let written = ''
  let token = yield* step.next()
  for (; token && !(token.type === 'tag' && token.text === close); token = yield* step.next()) written += token.text
  written = written.trim()
  if (!token && !closingFence.test(written))
    return step.refuse(`The command is not closed with ${close}. Write it again, whole.`)
  const input = withoutFence(written)
  return input === '' ? step.refuse('The command is empty.') : emitCommand(step, { tool, input })
}

const closingFence = /[\n\r]```$/

/** Removes a fence. Only the language in its line is not part of the command. */
function withoutFence(code: string): string {
  const end = code.indexOf('\n')
  const isFenced = code.startsWith('```') && end > 0 && !code.slice(3, end).trim().includes(' ')
  return (isFenced ? code.slice(end + 1) : code).replace(closingFence, '').trim()
}

/**
 * Reads the final answer: the rest of the text, since an answer may hold anything. It ends only where the model continues with an
 * observation, or to an action that has an input, and with the fence around the whole step.
 */
function* answer(step: Step): Part {
  const { out, isFenced } = step
  let isInCode = false
  out.finish('')
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    if (!isInCode && isLabel(token, 'observation')) return 'done'
    const isTail = !isInCode && (token.type === 'fence' ? isFenced && token.beginsLine : isLabel(token, 'action'))
    if (isTail) {
      const isOver = token.type === 'fence' ? closes(step, token.text) : actionFollows(step, token.text)
      if (yield* isOver) return 'done'
      continue
    }
    if (token.type === 'fence') isInCode = !isInCode
    out.finish(token.text)
  }
  return 'done'
}

/** Returns whether a fence closes the fenced step. Otherwise it opens code within the answer. */
function* closes(step: Step, fence: string): Reading<boolean> {
  let held = fence
  for (;;) {
    const token = yield* step.next()
    if (token?.type !== 'text') return true
    if (!isBlank(token.text)) {
      step.out.finish(held)
      step.unread(token)
      return false
    }
    held += token.text
  }
}

/** Returns whether `Action: search` is a step: `Action Input:` follows. Otherwise the answer mentions an action. */
function* actionFollows(step: Step, label: string): Reading<boolean> {
  let held = ''
  let isNamed = false
  for (;;) {
    const token: Token | undefined = yield* step.next()
    if (token && isLabel(token, 'input')) return true
    held += token?.text ?? ''
    const line: number = isNamed || token?.type !== 'text' ? 0 : findLineEnd(token.text)
    const isSpoken = token?.type !== 'text' || held.length > 200 || (line >= 0 && !isBlank(token.text.slice(line)))
    if (isSpoken) {
      step.out.finish(label + held.slice(0, held.length - (token?.text.length ?? 0)))
      step.unread(token)
      return false
    }
    isNamed ||= line >= 0
  }
}

function* taggedAnswer(step: Step, close: string): Part {
  step.out.finish('')
  for (let token = yield* step.next(); token; token = yield* step.next()) {
    if (token.type === 'tag' && token.text === close) return 'done'
    step.out.finish(token.text)
  }
  return undefined
}
