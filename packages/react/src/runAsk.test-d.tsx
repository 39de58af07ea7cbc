import { type Ask, agent, approval, type Run, tool } from '@interleave/core'
import type { RunAsk } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import type { ReactNode } from 'react'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type AskProps, SignalOutlet, Transcript, useAsk, useAsks, useReAct } from './index.ts'

const desk = agent({
  name: 'desk',
  model: scriptedModel(),
  tools: {
    refund: tool({
      inputSchema: z.object({
        cents: z.number(),
        note: z.string().optional(),
        at: z.coerce.date().default(new Date(0)),
      }),
      approve: approval({ rememberBy: ['cents'] }),
      execute: ({ cents }) => cents,
    }),
    mail: tool({ inputSchema: z.object({ to: z.string() }), execute: async ({ to }) => to }),
  },
})

it('narrows the input of an approval by its tool, and checks an edit', () => {
  const { asks, reply } = useReAct(desk)
  const [ask] = asks
  if (ask?.kind !== 'approval') return
  expectTypeOf(ask.tool).toEqualTypeOf<'refund' | 'mail'>()
  if (ask.tool === 'mail') {
    expectTypeOf(ask.input.to).toEqualTypeOf<string>()
    return
  }
  expectTypeOf(ask.input.cents).toEqualTypeOf<number>()
  expectTypeOf(ask.input.at).toEqualTypeOf<string>()
  // @ts-expect-error the tool has no such input
  void ask.input.price
  void reply(ask, { approved: true, input: { ...ask.input, cents: 5 } })
  void reply(ask, { approved: false, reason: 'No.' })
  // @ts-expect-error an amount is a number
  void reply(ask, { approved: true, input: { ...ask.input, cents: 'typo' } })
  // @ts-expect-error the tool has no such input
  void reply(ask, { approved: true, input: { ...ask.input, price: 5 } })
  // @ts-expect-error an edit is whole
  void reply(ask, { approved: true, input: {} })
})

it('has the same types from a run', () => {
  const { run } = useReAct(desk)
  expectTypeOf(useAsks(run)).toEqualTypeOf<readonly RunAsk<typeof desk>[]>()
  const [ask] = useAsks(run)
  if (ask?.kind === 'approval' && ask.tool === 'refund' && run) {
    void run.reply(ask, { approved: true, input: ask.input })
    // @ts-expect-error an amount is a number
    void run.reply(ask, { approved: true, input: { ...ask.input, cents: '5' } })
  }
  const asked = useAsk(run, ask)
  if (asked.kind === 'approval' && asked.ask.tool === 'mail') expectTypeOf(asked.ask.input.to).toEqualTypeOf<string>()
  expectTypeOf(useAsks({} as Run)).toEqualTypeOf<readonly Ask[]>()
})

it('gives every question of a typed run to what takes any', () => {
  const takesAny = (_: Ask): void => {}
  const [ask] = useAsks(useReAct(desk).run)
  if (ask) takesAny(ask)
  expectTypeOf<RunAsk>().toEqualTypeOf<Ask>()
})

const Approval = ({ ask, reply }: AskProps<'approval', typeof desk>): ReactNode => {
  if (ask.tool === 'refund') void reply({ approved: true, input: { ...ask.input, cents: ask.input.cents / 2 } })
  // @ts-expect-error no tool takes this
  void reply({ approved: true, input: { cents: 'typo' } })
  return ask.tool
}
const OfOther = (_: AskProps<'approval', Run<string, { readonly pay: { readonly inputSchema: z.ZodString } }>>) => null

it('takes components for the tools of its run', () => {
  const { run } = useReAct(desk)
  SignalOutlet({ run, components: { approval: Approval } })
  // @ts-expect-error the component is for another tool
  SignalOutlet({ run, components: { approval: OfOther } })
})

const Markdown = (_: { readonly children?: string | null | undefined; readonly skipHtml?: boolean }) => null

it('gives the text of a message as children', () => {
  Transcript({ run: useReAct(desk).run, components: { text: Markdown } })
})

it('takes a decision about an approval, and no number', () => {
  const inputSchema = z.object({ cents: z.number() })
  tool({ inputSchema, approve: ({ cents }) => cents > 5 && approval(`Pay ${cents}?`), execute: () => 1 })
  // @ts-expect-error a number is no decision
  tool({ inputSchema, approve: ({ cents }) => cents, execute: () => 1 })
  // @ts-expect-error a number is no decision
  tool({ inputSchema, approve: async ({ cents }) => cents && 'Pay?', execute: () => 1 })
})
