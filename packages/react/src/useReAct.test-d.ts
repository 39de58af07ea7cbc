import { type Agent, agent, answer, type Declined, type Run, type RunState, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  type AskProps,
  type ChatMessage,
  type ToolCardProps,
  Transcript,
  useAsk,
  useMessages,
  useReAct,
  useRun,
  useRunEvent,
  useSignal,
  useStatus,
} from './index.ts'

const model = scriptedModel()
const counter = agent({ name: 'counter', model, output: answer(z.object({ n: z.number() })) })
declare const run: Run<{ n: number }>

it('types the answer by the output of the agent', () => {
  expectTypeOf(useReAct(counter).answer).toEqualTypeOf<{ n: number } | undefined>()
  expectTypeOf(useReAct(agent({ name: 'talker', model })).answer).toEqualTypeOf<string | undefined>()
  // @ts-expect-error the answer is an object with a number
  useReAct(counter).answer satisfies string | undefined
})

it('takes runs of the same output only', () => {
  useReAct(counter, { run })
  // @ts-expect-error this agent answers with text
  useReAct(agent({ name: 'talker', model }) satisfies Agent<string>, { run })
})

it('types a reply by its question', () => {
  const { reply, asks } = useReAct(counter)
  const [ask] = asks
  if (ask?.kind !== 'confirm') return
  void reply(ask, true)
  void reply(
    ask,
    // @ts-expect-error a confirmation is answered by true or false
    'yes',
  )
})

it('narrows the signal by the status, and by the type that is asked for', () => {
  const { status, signal } = useStatus(run)
  if (status === 'waiting') expectTypeOf(signal.type).toEqualTypeOf<'inputNeeded' | 'limitReached'>()
  if (status === 'working') expectTypeOf(signal).toEqualTypeOf<undefined>()
  expectTypeOf(useSignal(run, 'answer')?.output).toEqualTypeOf<{ n: number } | undefined>()
  // @ts-expect-error there is no such signal
  useSignal(run, 'done')
})

it('infers what a selector gives', () => {
  expectTypeOf(useRun(run, ({ usage }) => usage.cost)).toEqualTypeOf<number>()
  // @ts-expect-error a state has no messages
  useRun(run, ({ messages }) => messages)
})

it('gives a component for a kind of question that kind', () => {
  expectTypeOf<AskProps<'choice'>['ask']['options'][number]['value']>().toEqualTypeOf<string>()
  expectTypeOf<Parameters<AskProps<'confirm'>['reply']>>().toEqualTypeOf<[value: boolean | Declined]>()
  // @ts-expect-error there is no such kind
  type _ = AskProps<'guess'>
})

it('types an event by its type', () => {
  useRunEvent(run, 'delta', ({ delta }) => expectTypeOf(delta).toEqualTypeOf<string>())
  // @ts-expect-error there is no such event
  useRunEvent(run, 'said so', () => {})
})

it('narrows the question and its reply by the kind', () => {
  const asked = useAsk(run)
  if (asked.kind !== 'choices') return
  expectTypeOf(asked.ask.options[0]?.value).toEqualTypeOf<string | undefined>()
  void asked.reply(['a'])
  // @ts-expect-error several are chosen by a list
  void asked.reply('a')
})

const waiter = agent({
  name: 'waiter',
  model,
  tools: {
    book: tool({ inputSchema: z.object({ people: z.number() }), execute: ({ people }) => ({ id: `${people}` }) }),
  },
  output: answer(z.object({ id: z.string(), guests: z.array(z.string()) })),
})

const Card = ({ message }: ToolCardProps<typeof waiter, 'book'>): null => {
  if (message.state === 'done') expectTypeOf(message.output).toEqualTypeOf<{ id: string }>()
  return null
}
const Other = (_: { readonly message: { readonly output: { readonly price: number } } }) => null

it('types messages, and components by tool, by the agent', () => {
  const { run, partialOutput, connection } = useReAct(waiter)
  const messages = useMessages(run)
  expectTypeOf(messages).toEqualTypeOf<readonly ChatMessage<typeof waiter>[]>()
  expectTypeOf(useMessages({} as Run)).toEqualTypeOf<readonly ChatMessage[]>()
  expectTypeOf(partialOutput).toEqualTypeOf<
    { readonly id?: string | undefined; readonly guests?: readonly string[] | undefined } | undefined
  >()
  expectTypeOf(connection?.type).toEqualTypeOf<'connecting' | 'connected' | 'waiting' | 'refused' | undefined>()
  Transcript({ run, tools: { book: Card } })
  // @ts-expect-error the agent has no such tool
  Transcript({ run, tools: { boook: Card } })
  // @ts-expect-error the tool gives no price
  Transcript({ run, tools: { book: Other } })
})

it('takes a state as frameworks type what their loaders send', () => {
  // Optional members may be undefined, and functions are gone: `Serialize` of React Router.
  type Sent<T> = T extends (...args: never[]) => unknown
    ? undefined
    : T extends object
      ? { [Key in keyof T]: Sent<T[Key]> | (undefined extends T[Key] ? undefined : never) }
      : T
  const initialState = {} as Sent<RunState>
  useReAct(counter, { runId: 'a', initialState })
  // @ts-expect-error a state has a history
  useReAct(counter, { runId: 'a', initialState: { seq: 1, asks: [] } })
})
