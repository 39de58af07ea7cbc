import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { toMessages } from './message.ts'
import { itemAt, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'

/** The messages of a run for its next model turn. Converts each entry of the history once. */
export interface PromptBuilder {
  messages(state: RunState): LanguageModelV4Message[]
}

export function promptBuilder(): PromptBuilder {
  let converted: LanguageModelV4Message[] = []
  let entries = 0
  let compactions = 0

  /** Entries are final once the model is asked again, so what was converted stays as it is until a compaction. */
  const catchUp = ({ history, compactions: now }: RunState): void => {
    if (now !== compactions) {
      converted = []
      entries = 0
      compactions = now
    }
    for (const end = lengthOf(history); entries < end; entries++) {
      const entry = itemAt(history, entries)
      if (entry) converted.push(...toMessages(entry))
    }
  }

  return {
    messages(state: RunState): LanguageModelV4Message[] {
      catchUp(state)
      // A copy: models and tests may keep the prompt they were given.
      const messages = converted.slice()
      for (const said of state.pending) messages.push(...toMessages(said))
      return messages
    },
  }
}
