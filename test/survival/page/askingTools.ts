import { choice, tool } from '@interleave/core'
import { buy, inputSchema, tools } from './tools.ts'

/** The same things to buy, of which a person decides something first. */
export const askingTools = {
  charge: tool({
    inputSchema,
    effect: 'idempotent',
    async execute(input, run) {
      const colour = await run.ask(choice({ prompt: 'Which colour?', options: ['red', 'blue'] }))
      return `${await buy('charge')(input, run)}, ${colour}`
    },
  }),
  book: tool({ inputSchema, effect: 'once', approve: 'always', execute: buy('book') }),
  look: tools.look,
}
