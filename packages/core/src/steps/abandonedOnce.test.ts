import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { confirm } from '../capabilities/questions/ask.ts'
import { whileRefused } from '../capabilities/questions/whileRefused.ts'
import type { Event } from '../event.ts'
import { agent, reasonAct, type Step, type ToolContext, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { decorateJournal } from '../journal.ts'

const sure = confirm({ prompt: 'Sure?' })

/** A journal whose next write with such an event waits until it is released. */
const heldJournal = (isHeld: (event: Event) => boolean) => {
  let release = () => {}
  let isWaiting = false
  const journal = decorateJournal(memoryJournal(), (inner) => ({
    append: async (runId, events, options) => {
      if (!isWaiting && events.some(isHeld)) {
        isWaiting = true
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
      return inner.append(runId, events, options)
    },
  }))
  return { journal, release: () => release(), waits: () => isWaiting }
}

const isDoing = (event: Event): boolean => event.type === 'effectBegun'

/** A tool that pays beside a question. */
const payConcurrently = () => {
  let paid = 0
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const execute = async (_: object, { ask, once }: ToolContext) => {
    await Promise.all([ask(sure), started.then(() => once('pay', () => ++paid))])
    return new Promise<never>(() => {})
  }
  const pay = tool({ inputSchema: z.object({}), timeoutMs: 4_000, execute })
  const payer = agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'pay', input: {} }] }), tools: { pay } })
  return { payer, start, paid: () => paid }
}

it('I5: begins no effect once the run is stopped, however long the write before it takes', async () => {
  const { journal, release, waits } = heldJournal(isDoing)
  const { payer, start, paid } = payConcurrently()
  const run = payer.start('Pay', { journal })
  await run.settled
  start()
  await expect.poll(waits).toBe(true)

  const stopping = run.stop()
  release()
  await stopping

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  expect(paid()).toBe(0)
})

it('I5: begins no effect once the time of its call is up', async () => {
  const { journal, release, waits } = heldJournal(isDoing)
  const { payer, start, paid } = payConcurrently()
  const host = manualHost()
  const run = payer.start('Pay', { journal, host })
  const settling = run.settled
  await host.advance(0)
  await settling
  start()
  await expect.poll(waits).toBe(true)
  const replying = run.reply('1/tool/0/ask/0', true)

  await host.advance(4_000)
  release()
  await replying
  await host.advance(0)

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/interruption' }] })
  expect(paid()).toBe(0)
})

it('begins no effect of a step once the run is stopped', async () => {
  const { journal, release, waits } = heldJournal((event) => event.type === 'said' && event.by === 'agent')
  let paid = 0
  const paying: Step = async (run) => {
    run.emit({ type: 'said', by: 'agent', content: 'I pay.' })
    await run.once('pay', () => ++paid)
    return undefined
  }
  const model = scriptedModel('Paid.')
  const run = agent({ name: 'a', model, backend: reasonAct({ before: [paying] }) }).start('Pay', { journal })
  await expect.poll(waits).toBe(true)

  const stopping = run.stop()
  release()
  await stopping

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  expect(paid).toBe(0)
})

it('I5: gives no tool an answer after a stop that comes while the answer is written', async () => {
  const { journal, release, waits } = heldJournal(({ type }) => type === 'replied')
  let paid = 0
  const execute = async (_: object, { ask }: ToolContext) => {
    await ask(sure)
    return ++paid
  }
  const pay = tool({ inputSchema: z.object({}), execute })
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] })
  const run = agent({ name: 'a', model, tools: { pay } }).start('Pay', { journal })
  await run.settled
  const replying = run.reply('1/tool/0/ask/0', true)
  await expect.poll(waits).toBe(true)

  const stopping = run.stop()
  release()
  await Promise.allSettled([stopping, replying])

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(paid).toBe(0)
})

it('I5: lets no tool continue after a stop that comes while its call is claimed again', async () => {
  const { journal, release, waits } = heldJournal(({ type, seq }) => type === 'claimed' && seq > 3)
  let paid = 0
  const execute = async (_: object, context: ToolContext) => {
    await whileRefused(context, async () => {})
    return ++paid
  }
  const pay = tool({ inputSchema: z.object({}), execute })
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] })
  const run = agent({ name: 'a', model, tools: { pay } }).start('Pay', { journal })
  await expect.poll(waits).toBe(true)

  const stopping = run.stop()
  release()
  await stopping

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(paid).toBe(0)
})

it('I5: starts no second function of once while the first still works, if a user has the call run again', async () => {
  let times = 0
  let pay = (_: string): void => {}
  const bank = new Promise<string>((resolve) => {
    pay = resolve
  })
  const execute = (_: object, { once }: ToolContext) =>
    once('pay', () => {
      times++
      return bank
    })
  const slow = tool({ inputSchema: z.object({}), timeoutMs: 200, execute })
  const model = scriptedModel({ calls: [{ name: 'slow', input: {} }] }, 'Paid.')
  const run = agent({ name: 'a', model, tools: { slow } }).start('Pay', { journal: memoryJournal() })
  await run.settled

  const reply = run.reply(run.state.asks[0]?.id ?? '', 'again')
  pay('Done.')
  await reply

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(times).toBe(1)
  expect(run.log.findLast(({ type }) => type === 'observed')).toMatchObject({ result: { value: 'Done.' } })
})
