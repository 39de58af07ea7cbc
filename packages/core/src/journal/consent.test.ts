import { providerCall } from '@interleave/test-kit/providerParts'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { END, graph, inOwnRun } from '../graph/index.ts'
import { type Agent, agent, approval, type Run, tool } from '../index.ts'
import { exportRun, type ForkOptions, fork, type Journal, memoryJournal } from './index.ts'

const calling = (...names: string[]) => ({ calls: names.map((name) => ({ name, input: {} })) })
/** A model that makes these calls first, and then says that it is done. */
const modelOf = (...names: string[]) =>
  scriptedModel(
    ...Array.from({ length: 9 }, () => ({ prompt }: { prompt: readonly { role: string }[] }) => {
      return prompt.some(({ role }) => role === 'assistant') ? 'Done.' : calling(...names)
    }),
  )

/** An agent that pays once a user allows it, and what it paid. */
function payer(names: readonly string[] = ['pay']) {
  const paid: string[] = []
  const pay = tool({
    inputSchema: z.object({ to: z.string().default('Ann') }),
    approve: approval(),
    execute: ({ to }, { runId }) => `paid ${paid.push(`${runId} to ${to}`)}`,
  })
  return { paid, clerk: (): Agent => agent({ name: 'clerk', model: modelOf(...names), tools: { pay, tip: pay } }) }
}

const above = (name: string, below: Agent): Agent => {
  const task = z.object({ task: z.string().default('Pay.') })
  const tools = { ask: agentTool(below, { description: 'Pays.', inputSchema: task }) }
  return agent({ name, model: modelOf('ask'), tools })
}

/** The journal as it is once the last question is answered, and nothing is done yet. */
async function untilReplied(journal: Required<Journal>, id = 'r'): Promise<Required<Journal>> {
  const { events, below = [] } = await exportRun(journal, id)
  const cut = memoryJournal()
  for (const log of [...below, events]) {
    const end = log.findLastIndex(({ type }) => type === 'replied')
    await cut.append(log[0]?.type === 'started' ? log[0].runId : '', log.slice(0, end + 1))
  }
  return cut
}

/** Starts a run, and answers all that it asks. */
async function approvedRun(made: Agent, journal: Journal, reply: object = { approved: true }): Promise<void> {
  const run = made.start('Pay', { id: 'r', journal })
  await approveAll(run, reply)
}

async function approveAll(run: Run, reply: object): Promise<void> {
  for (let { type } = await run.settled; type === 'inputNeeded'; { type } = await run.settled)
    await run.reply(run.state.asks[0]?.id ?? '', reply)
}

it.each<[string, (clerk: Agent) => Agent]>([
  ['run', (clerk) => clerk],
  ['child run', (clerk) => above('chief', clerk)],
  ['child run of a child run', (clerk) => above('owner', above('chief', clerk))],
  [
    'run of a node',
    (clerk) =>
      agent({
        name: 'g',
        backend: graph({
          name: 'g',
          nodes: { pay: inOwnRun(clerk, { input: 'Pay.' }) },
          start: 'pay',
          edges: { pay: END },
        }),
      }),
  ],
])('asks again whether a call that has not begun is allowed, where it is in a %s', async (_, over) => {
  const { paid, clerk } = payer()
  const made = () => over(clerk())
  const whole = memoryJournal()
  await approvedRun(made(), whole)
  expect(paid).toHaveLength(1)
  const journal = await untilReplied(whole)

  const forked = await fork(made(), 'r', { id: 'f', journal })
  expect(await forked.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval', tool: 'pay' }] })
  expect(paid).toHaveLength(1)

  // The old run acts on its approval, and the fork on one of its own.
  const old = await made().resume('r', { journal })
  expect(await old.settled).toMatchObject({ type: 'answer' })
  expect(paid).toHaveLength(2)
  await approveAll(forked, { approved: true })
  expect(paid).toHaveLength(3)
  expect(paid[2]).toMatch(/^f/)
  expect(await forked.settled).toMatchObject({ type: 'answer' })
})

it('asks again where a place is named, and takes an approval that is edited there', async () => {
  const { paid, clerk } = payer(['pay', 'tip'])
  const journal = memoryJournal()
  const run = clerk().start('Pay', { id: 'r', journal })
  await run.settled
  // In one tick, so neither call has begun at the second reply.
  await Promise.all(run.state.asks.map(({ id }) => run.reply(id, { approved: true })))
  expect(await run.settled).toMatchObject({ type: 'answer' })
  const replies = (await journal.read('r')).filter(({ type }) => type === 'replied')
  const at = replies[1]?.seq ?? 0
  expect(replies[0]?.seq).toBe(at - 1)

  const named = await fork(clerk(), 'r', { at, journal })
  expect(await named.settled).toMatchObject({ asks: [{ tool: 'pay' }, { tool: 'tip' }] })
  expect(paid).toHaveLength(2)

  const edit = { value: { approved: true, input: { to: 'Bob' } } }
  const edited = await fork(clerk(), 'r', { id: 'f', at, edit, journal })
  expect(await edited.settled).toMatchObject({ asks: [{ tool: 'pay' }] })
  expect(paid.slice(2)).toEqual(['f to Bob'])
})

it.each<[string, object, number]>([
  ['a refusal', { approved: false }, 0],
  ['a permission for later calls', { approved: true, remember: 'tool' }, 2],
])('keeps %s', async (_, reply, payments) => {
  const { paid, clerk } = payer()
  const whole = memoryJournal()
  await approvedRun(clerk(), whole, reply)

  const forked = await fork(clerk(), 'r', { journal: await untilReplied(whole) })

  expect(await forked.settled).toMatchObject({ type: 'answer' })
  expect(paid).toHaveLength(payments)
})

it('keeps the approvals of calls that have begun', async () => {
  const { clerk } = payer()
  const journal = memoryJournal()
  await approvedRun(clerk(), journal)

  const forked = await fork(clerk(), 'r', { journal })

  expect(await forked.settled).toMatchObject({ type: 'answer' })
  expect(forked.log.map(({ type }) => type)).toEqual((await journal.read('r')).map(({ type }) => type))
})

it('asks again about a call that the provider runs, until the provider has learned of it', async () => {
  const made = () =>
    agent({
      name: 'a',
      model: scriptedModel(
        ...Array.from({ length: 4 }, () => ({ prompt }: { prompt: readonly { role: string }[] }) => {
          return prompt.some(({ role }) => role === 'assistant') ? 'Done.' : providerCall
        }),
      ),
    })
  const journal = memoryJournal()
  await approvedRun(made(), journal)
  const { seq = 0 } = (await journal.read('r')).find(({ type }) => type === 'observed') ?? {}
  const at = (place: ForkOptions) => fork(made(), 'r', { journal, ...place })

  expect(await (await at({ at: seq })).settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'approval' }] })
  expect(await (await at({})).settled).toMatchObject({ type: 'answer' })
})
