import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { toMessages } from './message.ts'
import { itemAt, lengthOf } from './pages.ts'
import type { RunState } from './state.ts'

/** The messages of a run for its next model turn. Converts each entry of the history once. */
export interface PromptBuilder {
  messages(state: RunState, instructions?: string): LanguageModelV4Message[]
}

export function promptBuilder(): PromptBuilder {
  /** The first place is kept for the instructions: to put them in front later would move every message. */
  const converted: LanguageModelV4Message[] = [toSystem('')]
  let entries = 0
  let compactions = 0

  /** Entries are final once the model is asked again, so what was converted stays as it is until a compaction. */
  const catchUp = ({ history, compactions: now }: RunState): void => {
    if (now !== compactions) {
      converted.length = 1
      entries = 0
      compactions = now
    }
    for (const end = lengthOf(history); entries < end; entries++) {
      const entry = itemAt(history, entries)
      if (entry) converted.push(...toMessages(entry))
    }
  }

  return {
    messages(state: RunState, instructions = ''): LanguageModelV4Message[] {
      catchUp(state)
      converted[0] = toSystem(instructions)
      // A copy: models and tests may keep the prompt they were given.
      const messages = converted.slice(instructions ? 0 : 1)
      for (const said of state.pending) messages.push(...toMessages(said))
      return messages
    },
  }
}

const toSystem = (content: string): LanguageModelV4Message => ({ role: 'system', content })
