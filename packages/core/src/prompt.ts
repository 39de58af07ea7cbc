import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Entry } from './entry.ts'
import { reviveMessage, toMessages } from './message.ts'
import { itemAt, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'

/** The messages of a run for its next model turn. Converts each entry of the history once. */
export interface PromptBuilder {
  messages(state: RunState, instructions?: string): LanguageModelV4Message[]
}

/**
 * Up to so many messages a model is given a copy, since models and tests may keep their prompt. A longer list is handed over
 * as it is, and grows with the next turn: to copy it each time would make long runs cost more and more.
 */
const longest = 4_096

export function promptBuilder(): PromptBuilder {
  /** The first place is kept for the instructions: to put them in front later would move every message. */
  const converted: LanguageModelV4Message[] = [toSystem('')]
  let entries = 0
  let compactions = 0
  /** The latest entry, and where its messages begin. */
  let latest: Entry | undefined
  let begin = 1

  /**
   * Entries are final once the model is asked again, so what was converted stays as it is until a compaction. The latest one
   * may have been looked at before, and amended since.
   */
  const catchUp = ({ history, compacted, compactions: now }: RunState): void => {
    if (now !== compactions) {
      converted.length = 1
      converted.push(...(compacted?.messages ?? []).map(reviveMessage))
      entries = compacted?.from ?? 0
      compactions = now
      latest = undefined
    }
    if (latest && itemAt(history, entries - 1) !== latest) {
      converted.length = begin
      entries--
    }
    for (const end = lengthOf(history); entries < end; entries++) {
      latest = itemAt(history, entries)
      begin = converted.length
      if (latest) converted.push(...toMessages(latest))
    }
  }

  return {
    messages(state: RunState, instructions = ''): LanguageModelV4Message[] {
      catchUp(state)
      converted[0] = toSystem(instructions)
      if (converted.length > longest && instructions && state.pending.length === 0) return converted
      const messages = converted.slice(instructions ? 0 : 1)
      for (const said of state.pending) messages.push(...toMessages(said))
      return messages
    },
  }
}

/** The messages before the latest turn, as a tool is given them that this turn calls. The tool may change them: they are copies. */
export function messagesBefore({ history, ...state }: RunState): LanguageModelV4Message[] {
  const page = history.at(-1) ?? []
  const before = structuredClone({ ...state, history: history.with(-1, page.slice(0, -1)), pending: [] })
  return promptBuilder().messages(before)
}

const toSystem = (content: string): LanguageModelV4Message => ({ role: 'system', content })
