import { type ToolContext, tool } from '@interleave/core'
import * as z from 'zod'
import { post } from './post.ts'
import { variant } from './variant.ts'

export const inputSchema = z.object({ item: z.number() })

export const buy =
  (name: string) =>
  (input: z.infer<typeof inputSchema>, { idempotencyKey }: ToolContext): Promise<unknown> =>
    post(name, input, variant === 'freshKeys' ? crypto.randomUUID() : idempotencyKey)

export const tools = {
  charge: tool({ inputSchema, effect: 'idempotent', execute: buy('charge') }),
  book: tool({ inputSchema, effect: variant === 'claimsToRepeat' ? 'idempotent' : 'once', execute: buy('book') }),
  look: tool({ inputSchema, effect: 'pure', execute: buy('look') }),
}
