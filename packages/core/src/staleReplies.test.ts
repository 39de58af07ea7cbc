import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { whileRefused } from './capabilities/questions/whileRefused.ts'
import { type Agent, agent, approval, confirm, form, type Run, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

/** A process whose writes can fail, and which can go away. */
function processOf(kept: Journal) {
  const fate = { isGone: false, failures: 0, on: (_: readonly { readonly type: string }[]): void => {} }
  const never = new Promise<never>(() => {})
  const append: Journal['append'] = async (id, events, options) => {
    if (fate.isGone) return never
    fate.on(events)
    if (fate.failures-- > 0) throw new Error('The disk is full.')
    await kept.append(id, events, options)
    if (fate.isGone) return never
  }
  const claim: Journal['claim'] = kept.claim && ((...asked) => (fate.isGone ? never : kept.claim?.(...asked)) as never)
  return { fate, journal: { ...kept, append, ...(claim && { claim }) } satisfies Journal }
}

const calling = (...names: string[]) =>
  scriptedModel(({ prompt }) => {
    const name = names[prompt.filter(({ role }) => role === 'assistant').length]
    return name ? { calls: [{ name, input: { amount: 5 } }] } : 'Done.'
  })

const idOf = (run: Run): string => run.state.asks[0]?.id ?? ''
const statusOf = (run: Run) => run.state.history.flat().findLast((entry) => entry.type === 'turn')?.calls[0]?.status

/** Starts a run, and lets its process go away as soon as the journal has the reply to its question. */
async function leftAfterReply(described: Agent, kept: Journal, reply: object): Promise<void> {
  const { fate, journal } = processOf(kept)
  const run = described.start('Go', { id: 'r', journal })
  await run.settled
  fate.on = (events) => {
    if (events.some(({ type }) => type === 'replied')) fate.isGone = true
  }
  void run.reply(idOf(run), reply as never)
  await expect.poll(async () => (await kept.read('r')).some(({ type }) => type === 'replied')).toBe(true)
}

/** Resumes a run, until it waits for its user, and lets its process go away. */
async function leftAsking(described: Agent, kept: Journal, reply?: string): Promise<void> {
  const { fate, journal } = processOf(kept)
  const run = await described.resume('r', { journal })
  if (reply) {
    await expect.poll(() => idOf(run)).toContain('interruption')
    await run.reply(idOf(run), reply)
    await expect.poll(() => idOf(run)).toContain('/ask/')
  }
  await run.settled
  fate.isGone = true
}

it('does not take an old reply for that to an approval that was asked again, and does not hang', async () => {
  const kept = memoryJournal()
  const release = (words: string) =>
    agent({
      name: 'a',
      model: calling('pay'),
      tools: {
        pay: tool({
          inputSchema: z.object({ amount: z.number() }),
          approve: ({ amount }) => approval(amount > 50 ? `${words} ${amount}?` : `Pay ${amount}?`),
          execute: ({ amount }) => `Paid ${amount}.`,
        }),
      },
    })
  await leftAfterReply(release('Really pay'), kept, { approved: true, input: { amount: 80 }, prompt: 'Really pay 80?' })
  await leftAsking(release('Do you pay'), kept)

  const run = await release('Really pay').resume('r', { journal: kept })

  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(statusOf(run)).toBe('approving')
  await run.reply(idOf(run), { approved: true })
  await run.settled
  expect(run.log.find(({ type }) => type === 'observed')).toMatchObject({ result: { value: 'Paid 5.' } })
})

/** Gives a run that was resumed the time to do what it must not. */
async function yieldIfDue(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve))
}

const asking = (most: number, paid: number[], effect: 'atMostOnce' | 'idempotent' = 'atMostOnce') =>
  agent({
    name: 'a',
    model: calling('pay'),
    tools: {
      pay: tool({
        inputSchema: z.object({ amount: z.number() }),
        effect,
        async execute(_, { ask }) {
          const { amount } = await ask(
            form({ prompt: 'How much?', schema: z.object({ amount: z.number().refine((asked) => asked <= most) }) }),
          )
          paid.push(amount)
          return `Paid ${amount}.`
        },
      }),
    },
  })

it('I5: runs no call with an old reply to a question that is open', async () => {
  const kept = memoryJournal()
  const paid: number[] = []
  await leftAfterReply(asking(100, paid), kept, { amount: 80 })
  await leftAsking(asking(50, paid), kept, 'again')

  const run = await asking(100, paid).resume('r', { journal: kept })

  await yieldIfDue()
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(paid).toEqual([])
})

it('I2: runs with the reply that the user gave last', async () => {
  const kept = memoryJournal()
  const paid: number[] = []
  await leftAfterReply(asking(100, paid, 'idempotent'), kept, { amount: 80 })
  await leftAsking(asking(50, paid, 'idempotent'), kept)
  const run = await asking(100, paid, 'idempotent').resume('r', { journal: kept })
  await yieldIfDue()

  await run.reply(idOf(run), { amount: 20 })
  await run.settled

  expect(paid).toEqual([20])
})

it('asks about a call whose claim failed while its permission was taken back', async () => {
  const { fate, journal } = processOf(memoryJournal())
  let runs = 0
  const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => `Paid ${++runs}.` })
  const run = agent({ name: 'a', model: calling('pay', 'pay'), tools: { pay } }).start('Go', { journal })
  await run.settled
  fate.on = (events) => {
    if (!events.some((event) => event.type === 'claimed' && 'call' in event && event.call === '2/tool/0')) return
    fate.on = () => {}
    void run.revoke(run.state.permissions?.[0]?.id ?? '').catch(() => {})
    fate.failures = 2
  }
  await run.reply(idOf(run), { approved: true, remember: 'tool' })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  expect(statusOf(run)).toBe('proposed')
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  expect(runs).toBe(1)
})

it('refuses a call whose permission is taken back while its other side has it wait', async () => {
  let runs = 0
  let signIn = (): void => {}
  const pay = tool({
    inputSchema: z.object({}),
    approve: approval(),
    async execute(_, context) {
      if (runs === 1) await whileRefused(context, () => new Promise<void>((resolve) => (signIn = resolve)))
      return `Paid ${++runs}.`
    },
  })
  const run = agent({ name: 'a', model: calling('pay', 'pay'), tools: { pay } }).start('Go', {
    journal: memoryJournal(),
  })
  await run.settled
  await run.reply(idOf(run), { approved: true, remember: 'tool' })
  await expect.poll(() => run.log.some(({ type }) => type === 'released')).toBe(true)
  await run.revoke(run.state.permissions?.[0]?.id ?? '')
  await expect.poll(() => signIn).not.toHaveLength(0)
  signIn()

  await run.settled
  expect(runs).toBe(1)
  expect(run.log.findLast(({ type }) => type === 'observed')).toMatchObject({ error: { code: 'tool_refused' } })
})

it('I5: asks about a call that continued although the journal refused the reply to its question', async () => {
  const kept = memoryJournal()
  const { fate, journal } = processOf(kept)
  let paid = 0
  let end = (): void => {}
  const isPaid = new Promise<void>((resolve) => (end = resolve))
  const described = (isFirst: boolean) =>
    agent({
      name: 'a',
      model: scriptedModel({ calls: ['pay', 'other'].map((name) => ({ name, input: {} })) }, 'Done.'),
      tools: {
        other: tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => isPaid.then(() => 'Other.') }),
        pay: tool({
          inputSchema: z.object({}),
          async execute(_, { ask }) {
            await ask(confirm({ prompt: 'Express?' })).catch(() => false)
            paid++
            end()
            return isFirst ? new Promise<string>(() => {}) : 'Paid.'
          },
        }),
      },
    })
  const run = described(true).start('Go', { id: 'r', journal })
  await expect.poll(() => idOf(run)).toContain('/ask/')
  fate.on = (events) => {
    if (events.some(({ type }) => type === 'replied')) Object.assign(fate, { failures: 1, on: () => {} })
  }
  run.reply(idOf(run), true).catch(() => {})
  await expect.poll(() => paid).toBe(1)
  await expect.poll(async () => (await kept.read('r')).some(({ type }) => type === 'observed')).toBe(true)
  fate.isGone = true

  const second = await described(false).resume('r', { journal: kept })
  if (second.state.signal?.type === 'failed') second.resume()
  await expect.poll(() => second.state.signal?.type).toMatch('inputNeeded')

  expect(paid).toBe(1)
  expect(second.state.asks).toMatchObject([{ about: 'interruption' }])
})

it('tells the model that a call may have run, although its user now refuses it', async () => {
  const kept = memoryJournal()
  const { fate, journal } = processOf(kept)
  const paying = (prompt: string, execute: () => string | Promise<string>) =>
    agent({
      name: 'a',
      model: calling('pay'),
      tools: { pay: tool({ inputSchema: z.object({}), approve: approval(prompt), execute }) },
    })
  const first = paying('Pay 5?', () => {
    fate.isGone = true
    return new Promise<string>(() => {})
  }).start('Go', { id: 'r', journal })
  await first.settled
  void first.reply(idOf(first), { approved: true })
  await expect.poll(() => fate.isGone).toBe(true)
  const run = await paying('Pay 5 EUR?', () => 'Paid.').resume('r', { journal: kept })
  await run.settled

  await run.reply(idOf(run), { approved: false })
  await run.settled

  expect(run.log.find(({ type }) => type === 'observed')).toMatchObject({
    result: { type: 'execution-denied', reason: expect.stringContaining('may already have run') },
  })
})

it('I2: takes no reply about an earlier interruption for one about the next', async () => {
  const kept = memoryJournal()
  let paid = 0
  const paying = agent({
    name: 'a',
    model: calling('pay'),
    tools: { pay: tool({ inputSchema: z.object({}), execute: () => ++paid === 3 || new Promise(() => {}) }) },
  })
  const interrupted = async () => {
    const run = await paying.resume('r', { journal: kept })
    await run.settled
    return run
  }
  const begun = async (times: number) => {
    await expect.poll(() => paid).toBe(times)
    await expect.poll(async () => (await kept.read('r')).at(-1)?.type).toBe('claimed')
  }
  paying.start('Go', { id: 'r', journal: kept })
  await begun(1)
  const first = await interrupted()
  const old = idOf(first)
  await first.reply(old, 'again')
  await begun(2)

  const second = await interrupted()

  expect(idOf(second)).not.toBe(old)
  await expect(second.reply(old, 'again')).rejects.toMatchObject({ code: 'ask_unknown' })
  await yieldIfDue()
  expect(paid).toBe(2)
  const third = await interrupted()
  expect(idOf(third)).toBe(idOf(second))
  await third.reply(idOf(third), 'done')
  await third.settled
  expect(paid).toBe(2)
})
