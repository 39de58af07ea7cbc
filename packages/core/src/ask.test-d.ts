import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type Ask, choice, choices, confirm, form, type ReplyTo, type Run, type TypedQuestion, text } from './index.ts'
import type { RunContext } from './steps/index.ts'

declare const step: RunContext
declare const run: Run
const of = <Kind extends Ask['kind']>(kind: Kind) =>
  run.state.asks.find((ask): ask is Extract<Ask, { kind: Kind }> => ask.kind === kind)

it('types each answer by its question', () => {
  expectTypeOf(choice({ prompt: '?', options: ['a', 'b'] })).toEqualTypeOf<TypedQuestion<'a' | 'b'>>()
  expectTypeOf(choice({ prompt: '?', options: [{ value: 'x', label: 'X' }, 'y'] })).toEqualTypeOf<
    TypedQuestion<'x' | 'y'>
  >()
  expectTypeOf(choice({ prompt: '?', options: ['a'] as string[] })).toEqualTypeOf<TypedQuestion<string>>()
  expectTypeOf(choices({ prompt: '?', options: ['a', 'b'] })).toEqualTypeOf<TypedQuestion<readonly ('a' | 'b')[]>>()
  expectTypeOf(confirm({ prompt: '?' })).toEqualTypeOf<TypedQuestion<boolean>>()
  expectTypeOf(text({ prompt: '?' })).toEqualTypeOf<TypedQuestion<string>>()
  expectTypeOf(form({ prompt: '?', schema: z.object({ n: z.coerce.number() }) })).toEqualTypeOf<
    TypedQuestion<{ n: number }>
  >()
})

it('gives a step the typed answer', () => {
  expectTypeOf(step.ask('k', choice({ prompt: '?', options: ['a', 'b'] }))).resolves.toEqualTypeOf<'a' | 'b'>()
  expectTypeOf(step.once('k', async () => ({ id: 1 }))).resolves.toEqualTypeOf<{ id: number }>()
})

it('types the reply by the question', () => {
  const [approval, confirmation, picked] = [of('approval'), of('confirm'), of('choices')]
  if (!approval || !confirmation || !picked) return

  expectTypeOf<ReplyTo<typeof confirmation>>().toEqualTypeOf<boolean>()
  expectTypeOf(run.reply(approval, { approved: true, input: { cents: 5 } })).resolves.toBeVoid()
  expectTypeOf(run.reply(approval, { approved: false, reason: 'No.' })).resolves.toBeVoid()
  expectTypeOf(run.reply(picked, ['a'])).resolves.toBeVoid()
  // @ts-expect-error approvals are not answered with text
  run.reply(approval, 'yes')
  // @ts-expect-error only an approval has an input
  run.reply(approval, { approved: false, input: 1 })
  // @ts-expect-error yes and no are booleans
  run.reply(confirmation, 'yes')
})

it('reports a wrong reply at the reply, not at the question', () => {
  const confirmation = of('confirm')
  if (!confirmation) return

  run.reply(
    confirmation,
    // @ts-expect-error yes and no are booleans
    'yes',
  )
})

it('takes anything for the id of a question, and checks it when it runs', () => {
  expectTypeOf(run.reply('1/tool/0/ask/0', { any: 'thing' })).resolves.toBeVoid()
})

it('refuses questions that cannot work', () => {
  // @ts-expect-error a question has a prompt
  choice({ options: ['a'] })
  // @ts-expect-error options are texts
  choice({ prompt: '?', options: [1, 2] })
  // @ts-expect-error a form needs a schema, not a description
  form({ prompt: '?', schema: { n: 'number' } })
  // @ts-expect-error what is kept is plain JSON
  step.once('k', () => new Map())
})
