import { AgentError, agent, approval, type Run, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { eventsOf } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CommandQueue, OwnedRun } from './owner.ts'

async function asking(journal?: Journal) {
  const buy = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'sold' })
  const model = scriptedModel({ calls: [{ name: 'buy', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { buy } }).start('Go', journal && { journal })
  await run.settled
  const events = [...(await logOf(run))]
  run.subscribe((event) => 'seq' in event && events.push(event))
  return { run, events, queue: new CommandQueue(() => events), ask: run.state.asks[0]?.id ?? '' }
}

async function logOf(run: Run) {
  const log = []
  for await (const event of eventsOf(run)) if ('seq' in event) log.push(event)
  return log
}

const replies = (events: readonly { readonly type: string }[]) => events.filter(({ type }) => type === 'replied')

it('takes one of two replies at once', async () => {
  const { run, events, queue, ask } = await asking()
  const after = run.state.seq

  const first = queue.applyCommand(run, { type: 'reply', ask, value: { approved: true }, after })
  const second = queue.applyCommand(run, { type: 'reply', ask, value: { approved: false }, after })

  await expect(second).rejects.toMatchObject({ code: 'ask_unknown' })
  await first
  expect(replies(events)).toHaveLength(1)
})

it('keeps nothing of replies that are over', async () => {
  const { run, queue, ask } = await asking()
  const set = vi.spyOn(Map.prototype, 'set')
  const ids = [ask, 'x', 'y']
  const value = { approved: true }

  await Promise.allSettled(ids.map((id) => queue.applyCommand(run, { type: 'reply', ask: id, value, after: 0 })))

  const contexts = set.mock.contexts as readonly Map<unknown, unknown>[]
  const maps = contexts.filter((_, call) => set.mock.calls[call]?.[0] === 'x')
  set.mockRestore()
  expect(maps.length).toBeGreaterThan(0)
  await expect.poll(() => maps.map((map) => map.size)).toEqual(maps.map(() => 0))
})

it('does a resumption once, also one that is repeated after the run has settled again', async () => {
  const run = agent({ name: 'a', model: scriptedModel(new Error('Down.'), new Error('Down.')) }).start('Go')
  await run.settled
  const queue = new CommandQueue(() => run.log)
  const resume = { type: 'resume', after: run.state.seq } as const

  await queue.applyCommand(run, resume)
  await run.settled
  await queue.applyCommand(run, resume)

  expect(run.log.filter(({ type }) => type === 'resumed')).toHaveLength(1)
})

it('has nothing to resume in a run that waits for a reply: its view elsewhere had failed', async () => {
  const { run, events, queue } = await asking()
  const { length } = events

  await queue.applyCommand(run, { type: 'resume', after: run.state.seq })

  expect(events).toHaveLength(length)
})

it('takes the same reply again for done', async () => {
  const { run, events, queue, ask } = await asking()
  const reply = { type: 'reply', ask, value: { approved: true }, after: run.state.seq } as const

  await Promise.all([queue.applyCommand(run, reply), queue.applyCommand(run, reply)])
  await queue.applyCommand(run, reply)

  expect(replies(events)).toHaveLength(1)
})

it('takes a reply that is right after one that is not', async () => {
  const { run, queue, ask } = await asking()
  const after = run.state.seq

  const wrong = queue.applyCommand(run, { type: 'reply', ask, value: 'maybe', after })
  const right = queue.applyCommand(run, { type: 'reply', ask, value: { approved: true }, after })

  await expect(wrong).rejects.toMatchObject({ code: 'reply_invalid' })
  await right
})

it('takes a reply that is known for done only when the journal has it', async () => {
  let isFull = false
  const kept = memoryJournal()
  const append: Journal['append'] = (id, events, options) => {
    if (isFull) throw new Error('The disk is full.')
    return kept.append(id, events, options)
  }
  const { run, queue, ask } = await asking({ ...kept, append })
  const reply = { type: 'reply', ask, value: { approved: true }, after: run.state.seq } as const
  isFull = true

  await expect(queue.applyCommand(run, reply)).rejects.toMatchObject({ code: 'journal_failed' })
  await expect(queue.applyCommand(run, reply)).rejects.toMatchObject({ code: 'journal_failed' })
  isFull = false
  await queue.applyCommand(run, reply)

  expect(replies(await kept.read(run.id))).toHaveLength(1)
})

it.each(['reply', 'say'] as const)(
  'takes a %s that the journal has for done, though another owner took over since',
  async (type) => {
    let isTaken = false
    const kept = memoryJournal()
    const append: Journal['append'] = async (id, events, options) => {
      if (isTaken) throw new AgentError('journal_conflict', 'Taken over.')
      await kept.append(id, events, options)
      isTaken = events.some((event) => event.type === 'replied' || (event.type === 'said' && event.seq > 1))
    }
    const { run, queue, ask } = await asking({ ...kept, append })
    const after = run.state.seq
    const reply = { type: 'reply', ask, value: { approved: true }, after } as const
    const command = type === 'reply' ? reply : ({ type: 'say', content: 'And?', key: 'k' } as const)
    await queue.applyCommand(run, command)
    if (type === 'say') await queue.applyCommand(run, reply).catch(() => {})
    await expect.poll(() => run.state.signal).toMatchObject({ type: 'failed', error: { code: 'journal_conflict' } })

    await queue.applyCommand(run, command)

    expect((await kept.read(run.id)).length).toBeLessThan(run.state.seq)
  },
)

/** A failed run whose journal writes when it may, and the order of what happens. */
async function failedRun() {
  const kept = memoryJournal()
  const order: string[] = []
  let write: Promise<void> = Promise.resolve()
  const append: Journal['append'] = async (id, events, options) => {
    await write
    await kept.append(id, events, options)
    for (const { type } of events) order.push(type)
  }
  const model = scriptedModel(new Error('Down.'), 'Done.')
  const run = agent({ name: 'a', model }).start('Go', { journal: { ...kept, append } })
  await run.settled
  order.length = 0
  const hold = (writing: Promise<void>): void => {
    write = writing
  }
  return { owned: new OwnedRun(run), order, hold }
}

it('takes a run for resumed only when the journal has it', async () => {
  const { owned, order, hold } = await failedRun()
  let release = (): void => {}
  hold(
    new Promise((resolve) => {
      release = resolve
    }),
  )

  const resumed = owned.applyCommand({ type: 'resume' }).then(() => order.push('resumed for the client'))
  await new Promise((resolve) => setTimeout(resolve))
  release()
  await resumed

  expect(order.indexOf('resumed')).toBeGreaterThanOrEqual(0)
  expect(order.indexOf('resumed for the client')).toBeGreaterThan(order.indexOf('resumed'))
})

it('takes a run for not resumed where the journal takes no more, each time', async () => {
  const { owned, hold } = await failedRun()
  const full = Promise.reject(new Error('The disk is full.'))
  full.catch(() => {})
  hold(full)

  await expect(owned.applyCommand({ type: 'resume' })).rejects.toMatchObject({ code: 'journal_failed' })
  await expect(owned.applyCommand({ type: 'resume' })).rejects.toMatchObject({ code: 'journal_failed' })
  hold(Promise.resolve())
  await owned.applyCommand({ type: 'resume' })

  expect(owned.view.log.some(({ type }) => type === 'resumed')).toBe(true)
})
