import { agent, reasonAct, tool } from '@interleave/core'
import {
  compact,
  cutResults,
  dropTurns,
  remember,
  retryCompacted,
  searchMemory,
  summarize,
} from '@interleave/core/steps'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import type { GoldenCase } from '../GoldenCase.ts'

const read = tool({
  inputSchema: z.object({ page: z.number() }),
  effect: 'readOnly',
  execute: ({ page }) => `Page ${page}: ${'tea and milk, '.repeat(40)}`,
})
const reading = (page: number) => ({ calls: [{ name: 'read', input: { page } }], usage: { input: 0, output: 0 } })
const pages = [1, 2, 3, 4].map(reading)
const writer = (...lines: string[]) => ({ models: [scriptedModel(...lines)], length: 50, contextWindow: 300 })

const strategies = {
  'cut-results': [cutResults()],
  'dropped-turns': [dropTurns()],
  'a-summary': [summarize({ ...writer('Pages 1 to 3 are about tea.'), contextWindow: 3_000 })],
  'a-summary-in-parts': [summarize(writer('Tea.', 'Milk.', 'Tea and milk.', 'Both.', 'All.'))],
  'the-first-that-fits': [cutResults({ except: ['read'] }), dropTurns()],
}

const compacted = Object.entries(strategies).map(
  ([name, strategies]): GoldenCase => ({
    name: `compacted-to-${name}`,
    agent: agent({
      name: 'reader',
      model: scriptedModel(...pages, 'Tea.'),
      tools: { read },
      backend: reasonAct({ before: [compact({ contextWindow: 600, keep: 1, strategies })] }),
    }),
    input: 'What is it about?',
  }),
)

export const context: readonly GoldenCase[] = [
  ...compacted,
  {
    name: 'compacted-once-refused',
    agent: agent({
      name: 'refused',
      model: scriptedModel(reading(1), reading(2), new Error('prompt is too long: 9 tokens > 8 maximum'), 'Tea.'),
      tools: { read },
      backend: retryCompacted(
        reasonAct({ before: [compact({ contextWindow: 10_000, keep: 1, strategies: [cutResults()] })] }),
      ),
    }),
    input: 'What is it about?',
  },
  {
    name: 'reminded-of-earlier-runs',
    // A run adds to its memory, so each run has an agent of its own.
    get agent() {
      return agent({
        name: 'clerk',
        model: scriptedModel('It is Coco.', 'And a cat.'),
        backend: remember(reasonAct(), {
          memory: searchMemory({ items: [{ id: '1', text: 'The parrot is Coco.', namespace: 'ada', at: 0 }] }),
          namespace: 'ada',
        }),
      })
    },
    input: 'Which parrot?',
    whenSettled: [(run) => run.say('What else did I say of the parrot?')],
  },
]
