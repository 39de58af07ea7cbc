import { checkOptions, DEV } from '#checks'
import {
  acceptCall,
  answerCalls,
  answerRefused,
  answerTool,
  close,
  ignored,
} from '../capabilities/answer/answerTool.ts'
import { jsonOrText, readAnswer } from '../capabilities/answer/readAnswer.ts'
import { joined } from '../history/scratchpad.ts'
import { isObject, type Json, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { type CompiledSchema, compileSchema, type JsonSchema, type Schema } from '../schema.ts'
import type { Signal } from '../signal.ts'
import type { Call, RunState, Turn } from '../state.ts'
import { textTurn, wasLastTurn, withheld } from '../step.ts'
import { checkToolName, type Outcome } from '../tool.ts'

export interface ConfidentAnswerOptions {
  /** The required confidence, above 0 and up to 1; 0.9 by default. */
  threshold?: number
  /** The name of the tool; `answer_with_confidence` by default. */
  name?: string
  description?: string
  /** The type of the answer, instead of the agent's own `output`. A run's types reflect only the agent's. */
  output?: Schema
  /** Without a tool, for models that cannot call any: the answer is text with a last line such as `Confidence: 0.92`. */
  textOnly?: boolean
  /** Returns the advice for a model below the threshold. */
  advise?: (confidence: number, state: RunState) => string
}

/**
 * Ends the run once the model is confident enough of its answer. The model states its confidence with the answer:
 * through a tool, or in the last line of a plain text. Below the threshold it is asked to verify or find out more, and
 * the run continues until a limit. In a last turn before a limit, any answer counts, with the reason `completed`.
 */
export function confidentAnswer(options: ConfidentAnswerOptions = {}): Step {
  checkOptions('confidentAnswer()', options, ['threshold', 'name', 'description', 'output', 'textOnly', 'advise'])
  const {
    threshold = 0.9,
    name = 'answer_with_confidence',
    description = 'Gives the answer, and how sure you are that it is right.',
    output,
    textOnly = false,
    advise = adviseToVerify,
  } = options
  assertOption(
    threshold > 0 && threshold <= 1,
    DEV && `confidentAnswer({ threshold: ${threshold} }): use a number above 0, up to 1.`,
  )
  checkToolName('confidentAnswer()', name)
  const own = output && compileSchema(output, 'The output of confidentAnswer()')
  const rule: Rule = { name, threshold, own, advise, textOnly }

  const step: Step = (run) => {
    const calls = answerCalls(run, name)
    return calls.length > 0 ? readCalls(run, rule, calls) : readText(run, rule)
  }
  const tools: Step['tools'] = (agent) =>
    textOnly ? [] : [answerTool({ name, description }, own ?? agent.output, { confidence })]
  return Object.assign(step, { tools, instructions: textOnly ? textInstructions : toolInstructions(name) })
}

type Rule = Required<Omit<ConfidentAnswerOptions, 'description' | 'output'>> & {
  readonly own: CompiledSchema | undefined
}

async function readCalls(run: RunContext, rule: Rule, [call, ...others]: readonly Call[]): Promise<Signal | undefined> {
  if (!call) return undefined
  for (const other of others) close(run, other, ignored)
  const ruling: Ruling = call.invalid ? refusal(rule, call.invalid) : await judge(run, rule, statementOfCall(call))
  if ('outcome' in ruling) {
    close(run, call, ruling.outcome)
    return undefined
  }
  acceptCall(run, call)
  return ruling
}

async function readText(run: RunContext, rule: Rule): Promise<Signal | undefined> {
  const turn = textTurn(run.state)
  // An earlier rule has already asked the model to continue.
  if (!turn || run.state.pending.some(({ by }) => by === 'agent')) return undefined
  const filtered = withheld(turn)
  if (filtered) return filtered
  const ruling = await judge(run, rule, statementOfText(turn))
  if (!('outcome' in ruling)) return ruling
  run.emit({ type: 'said', by: 'agent', content: ruling.text })
  return undefined
}

/** The answer, or a message for the model: the problem with its answer, or advice before it can be accepted. */
type Ruling = Signal | { readonly text: string; readonly outcome: Outcome }

async function judge(run: RunContext, rule: Rule, { answer, stated }: Statement): Promise<Ruling> {
  if (answer === undefined) return refusal(rule, 'there is none')
  const checked = await readAnswer(answer, rule.own ?? run.agent.output)
  if (!checked.ok) return refusal(rule, checked.message)
  const sure = readConfidence(stated)
  const known = sure !== undefined && { confidence: sure }
  const given = { type: 'answer', output: toJson(checked.value), ...known } as const
  if (sure !== undefined && sure >= rule.threshold) return { ...given, reason: 'confidence' }
  if (wasLastTurn(run.state)) return { ...given, reason: 'completed' }
  if (sure !== undefined) {
    const text = rule.advise(sure, run.state)
    return { text, outcome: { result: { type: 'text', value: text } } }
  }
  const none = stated === undefined ? '' : ` ${JSON.stringify(stated)} is no such number.`
  return refused(`State your confidence in the answer as a number from 0 to 1.${none} ${again(rule)}`)
}

const refused = (text: string): Ruling => ({ text, outcome: answerRefused(text) })

const refusal = (rule: Rule, problem: string): Ruling => refused(`The answer does not fit: ${problem}. ${again(rule)}`)

const again = ({ name, textOnly }: Rule): string =>
  textOnly ? 'Answer again, with a last line such as "Confidence: 0.75".' : `Call ${name} with both.`

const confidence: JsonSchema = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'How sure you are that the answer is right: 0 is a guess, 1 is certain.',
}

/** Returns instructions without the threshold, since models that know it tend to state it. */
const toolInstructions = (name: string): string =>
  `Give your answer by calling ${name}, and with it your honest confidence that it is right, as a number from 0 to 1. ` +
  'If you answer in plain text instead, end with a last line such as "Confidence: 0.75".'
const textInstructions =
  'End your answer with a last line that states your honest confidence that it is right, such as "Confidence: 0.75".'

const adviseToVerify = (sure: number): string =>
  `A confidence of ${sure} is not enough. Verify what you are unsure of, or find out what is missing, and answer again.`

/** An answer with its confidence as the model stated them, not validated. The answer is undefined if there is none. */
type Statement = { readonly answer: Json | undefined; readonly stated: unknown }

/** Returns the statement in a call, also if the model omits `answer` or passes the whole input as text. */
function statementOfCall({ input }: Pick<Call, 'input'>): Statement {
  const given = typeof input === 'string' ? jsonOrText(input) : input
  if (!isObject(given)) return { answer: input, stated: undefined }
  const { confidence, ...others } = given
  const answer = 'answer' in others ? others.answer : others
  return { answer: isObject(answer) && Object.keys(answer).length === 0 ? undefined : answer, stated: confidence }
}

function statementOfText(turn: Turn): Statement {
  const { text, stated } = splitConfidence(joined(turn, 'text'))
  return { answer: text === '' ? undefined : text, stated }
}

/**
 * Splits off the line in which a model states its confidence, such as `92 %`: the last one that is more than Markdown.
 * `stated` is undefined if there is none.
 */
export function splitConfidence(written: string): { text: string; stated: string | undefined } {
  const lines = written.split('\n')
  const at = lines.findLastIndex((line) => bare(line) !== '')
  const line = bare(lines[at] ?? '')
  const stated = /^\(?confidence(?: level| score)?\s*[:=：](.*)$/i.exec(line)?.[1]?.trim()
  if (stated === undefined) return { text: written, stated }
  let end = at
  while (end > 0 && isGap(lines[end - 1] ?? '')) end--
  return { text: [...lines.slice(0, end), ...lines.slice(at + 1)].join('\n').trim(), stated }
}

/** Returns a number from 0 to 1 for `0.92`, `92%`, `92/100` and `9 out of 10`. Undefined for anything else. */
export function readConfidence(stated: unknown): number | undefined {
  const value = typeof stated === 'string' ? parse(stated) : stated
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined
}

function parse(stated: string): number {
  const pattern = /^([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)) ?(?:(%)|(?:\/|out of) ?(\d+))?(?: ?\([^()]*\))?[.)]*$/i
  const [, number = '', percent, whole] = pattern.exec(stated.trim().replace(/\s+/g, ' ')) ?? []
  if (number === '') return Number.NaN
  return Number(number.replace(',', '.')) / (percent ? 100 : Number(whole ?? 1))
}

/** Returns a line without Markdown. One that is too long to state a confidence is no candidate. */
function bare(line: string): string {
  if (line.length > 200) return '…'
  const text = line.replace(/[*_`~#>|[\]]/g, '').trim()
  return text.replace(/^(?:[-=+•]+|\d+\.)(?:\s+|$)/, '')
}

/** Returns true for an empty line or a rule. */
const isGap = (line: string): boolean => line.length <= 200 && /^\s*$|^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)
