import type { Call, Turn } from '../entry.ts'
import { isObject, type Json, parseJson } from '../json.ts'
import { joined } from '../scratchpad.ts'
import { splitConfidence } from './confidence.ts'

/** An answer with a stated confidence, as the model gave them: nothing of it is checked yet. */
export interface Statement {
  /** Undefined where there is none. */
  readonly answer: Json | undefined
  readonly stated: unknown
}

/** Models leave the field `answer` out where the answer is an object, and give the whole input as text. */
export function statementOfCall({ input }: Pick<Call, 'input'>): Statement {
  const given = typeof input === 'string' ? asObject(input) : input
  if (!isObject(given)) return { answer: given, stated: undefined }
  const { confidence, ...others } = given
  const answer = 'answer' in others ? others.answer : others
  return { answer: isObject(answer) && Object.keys(answer).length === 0 ? undefined : answer, stated: confidence }
}

export function statementOfText(turn: Turn): Statement {
  const { text, stated } = splitConfidence(joined(turn, 'text'))
  return { answer: text === '' ? undefined : text, stated }
}

function asObject(text: string): Json {
  try {
    const parsed = parseJson(text)
    return isObject(parsed) ? parsed : text
  } catch {
    return text
  }
}
