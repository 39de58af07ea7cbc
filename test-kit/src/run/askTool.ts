import {
  choice,
  choices,
  confirm,
  form,
  link,
  type ToolOptions,
  type TypedQuestion,
  text,
  tool,
} from '@interleave/core'
import { z } from 'zod'

const sizes = ['small', 'large'] as const

/** A question of each kind that a tool can ask. */
const questions = (): Readonly<Record<string, TypedQuestion<unknown>>> => ({
  choice: choice({ prompt: 'Which?', options: sizes }),
  choices: choices({ prompt: 'Which of them?', options: sizes, min: 1 }),
  confirm: confirm({ prompt: 'Sure?' }),
  text: text({ prompt: 'What?', maxLength: 5 }),
  link: link({ prompt: 'Is it paid?', url: 'https://shop.example/pay' }),
  form: form({ prompt: 'For whom?', schema: z.object({ name: z.string(), seats: z.coerce.number().default(1) }) }),
})

/** Asks what it is called with, and gives what was answered. */
export const askTool = (): ToolOptions<{ kind: string }, unknown> =>
  tool({
    inputSchema: z.object({ kind: z.string() }),
    execute: ({ kind }, context) => context.ask(questions()[kind] ?? confirm({ prompt: kind })),
  })
