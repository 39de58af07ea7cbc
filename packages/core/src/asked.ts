import { canonicalJson } from './canonicalJson.ts'
import { toJson } from './json.ts'
import { latestTurn } from './openCalls.ts'
import type { Ask } from './question.ts'
import type { RunState } from './state.ts'

/** The questions that a call of the latest turn has asked, or the run itself, as they were shown, by id. */
export function questionsOf(state: RunState, call: string | undefined): Readonly<Record<string, Ask>> {
  if (call === undefined) return state.questions ?? {}
  return latestTurn(state)?.calls.find(({ key }) => key === call)?.questions ?? {}
}

/**
 * The id under which this very question was asked before: an answer belongs to what was shown, and to nothing else. Undefined
 * if it was never asked under this key, or only with other words, another input or another schema. Of a call only the latest
 * question of a key counts, since a user who answered another one last may have changed their mind.
 */
export function idOf(asked: Ask, questions: Readonly<Record<string, Ask>>): string | undefined {
  let canonical: string | undefined
  for (const id of Object.keys(questions).reverse()) {
    if (id !== asked.id && keyOf(id) !== asked.id) continue
    canonical ??= contentOf(asked)
    if (contentOf(questions[id] as Ask) === canonical) return id
    if (asked.call !== undefined) return undefined
  }
  return undefined
}

/** A question that replaces another one has an id of its own, so that no answer to the old one reaches it. */
export const replacing = (key: string, seq: number): string => `${key}~re${seq}`

/** The key that a question was asked with: its id without what tells it from the one that it replaced. */
export const keyOf = (id: string): string => id.replace(/~re\d+$/, '')

const contentOf = ({ id: _, ...question }: Ask): string => canonicalJson(toJson(question))
