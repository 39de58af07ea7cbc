import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { AgentError, agent, type Event, text, tool } from '../index.ts'
import { type AppendOptions, type Journal, memoryJournal } from '../journal/index.ts'

const inputSchema = z.object({})
const calls = (...names: string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name, input: {} })) })
const tools = {
  charge: tool({ inputSchema, execute: () => 'charged' }),
  look: tool({ inputSchema, effect: 'readOnly', execute: () => 'seen' }),
  ask: tool({ inputSchema, execute: (_, { ask }) => ask(text({ prompt: '?' })) }),
}

/** Says how each write was asked for. */
function watchedJournal(kept: Journal = memoryJournal()) {
  const writes: { types: string[]; durability: string | undefined }[] = []
  const append = (id: string, events: readonly Event[], options?: AppendOptions) => {
    writes.push({ types: events.map(({ type }) => type), durability: options?.durability })
    return kept.append(id, events, options)
  }
  const durabilityOf = (type: string) => writes.find(({ types }) => types.includes(type))?.durability
  return { journal: { ...kept, append }, writes, durabilityOf }
}

/** Creates a turn that the test releases. */
function heldTurn() {
  let go = (): void => {}
  const promise = new Promise<void>((resolve) => {
    go = resolve
  })
  const turn =
    (then: string): ScriptedTurn =>
    async () => {
      await promise
      return then
    }
  return { turn, go: () => go() }
}

it('refuses the words of an owner that another one has followed, although they would fit', async () => {
  const journal = memoryJournal()
  const [slow, quick] = [heldTurn(), heldTurn()]
  const before = agent({ name: 'a', model: scriptedModel(calls('look'), slow.turn('Late.')), tools })
  const first = before.start('Go', { journal, id: 'r' })
  while ((await journal.read('r')).length < 4) await new Promise((resolve) => setTimeout(resolve))
  await first.say('And?')

  const second = await agent({ name: 'a', model: scriptedModel(quick.turn('In time.')), tools }).resume('r', {
    journal,
  })
  slow.go()
  expect(await first.settled).toMatchObject({ type: 'failed', error: { code: 'journal_conflict' } })
  quick.go()

  expect(await second.settled).toMatchObject({ output: 'In time.' })
  expect(await journal.read('r')).toHaveLength(second.state.seq)
})

it('asks no model about a message that another owner kept from the log', async () => {
  const journal = memoryJournal()
  const model = scriptedModel('One.', 'In vain.')
  const run = agent({ name: 'a', model }).start('1', { journal, id: 'r' })
  await run.settled
  await journal.append('r', [{ type: 'noted', key: 'k', value: 1, seq: run.state.seq, at: 0, iteration: 1 }])

  run.say('2').catch(() => {})

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_conflict' } })
  expect(model.calls).toHaveLength(1)
})

it('takes a run back that a user claimed and never wrote to', async () => {
  const journal = memoryJournal()
  const { turn, go } = heldTurn()
  const run = agent({ name: 'a', model: scriptedModel('One.', turn('Two.')) }).start('1', { journal, id: 'r' })
  await run.settled
  await run.say('2')
  await journal.claim('r', run.state.seq)
  go()
  expect(await run.settled).toMatchObject({ error: { code: 'journal_conflict' } })

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(await journal.read('r')).toHaveLength(run.state.seq)
})

it.each(['looked at', 'begun again under its id'])('leaves a run alone that is %s elsewhere', async (how) => {
  const journal = memoryJournal()
  const described = agent({ name: 'a', model: scriptedModel('One.', 'Two.') })
  const run = described.start('1', { journal, id: 'r' })
  await run.settled
  if (how === 'looked at') await described.resume('r', { journal })
  else await described.start('Other', { journal, id: 'r' }).settled

  await run.say('2')

  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it('writes by seq alone where the journal knows no owners', async () => {
  const { claim: _, ...journal } = memoryJournal()
  const run = agent({ name: 'a', model: scriptedModel(calls('look'), 'Done.'), tools }).start('Go', { journal })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(await journal.read(run.id)).toHaveLength(run.state.seq)
})

it('claims again when a claim fails', async () => {
  let left = 2
  const kept = memoryJournal()
  const claim = async (id: string, length: number) => {
    if (left-- > 0) throw new Error('not now')
    return kept.claim(id, length)
  }
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go', { journal: { ...kept, claim } })

  expect(await run.settled).toMatchObject({ error: { code: 'journal_failed', retryable: true } })
  expect(await kept.read(run.id)).toHaveLength(run.state.seq)
})

it.each(['remote_failed', 'options_invalid', 'stopped'] as const)(
  'calls a tool later whose call was refused with %s',
  async (code) => {
    const kept = memoryJournal()
    let isAway = true
    const append: Journal['append'] = (id, events, options) => {
      if (isAway && events.some(({ type }) => type === 'claimed')) throw new AgentError(code, 'The store is away.')
      return kept.append(id, events, options)
    }
    const model = scriptedModel(calls('charge'), 'Done.')
    const run = agent({ name: 'a', model, tools }).start('Go', { journal: { ...kept, append } })

    expect(await run.settled).toMatchObject({
      error: { code: 'journal_failed', message: expect.stringContaining('The store is away') },
    })
    isAway = false
    run.resume()

    expect(await run.settled).toMatchObject({ output: 'Done.' })
    expect(run.log.find((event) => event.type === 'observed')).not.toHaveProperty('error')
  },
)

/** A journal whose connection is lost right after the write with this number, once. */
function lossyJournal(lost: number, kept: Journal = memoryJournal()): Journal {
  let count = 0
  const append: Journal['append'] = async (...write) => {
    await kept.append(...write)
    if (++count === lost) throw new Error('The connection was lost.')
  }
  return { ...kept, append }
}

it.each([1, 2, 3])('continues if the answer to write %i is lost, and does nothing twice', async (lost) => {
  const journal = lossyJournal(lost)
  let charges = 0
  const charge = tool({ inputSchema, execute: () => `charged ${++charges}` })
  const run = agent({ name: 'a', model: scriptedModel(calls('charge'), 'Done.'), tools: { charge } })
  const charging = run.start('Go', { journal })

  const { type } = await charging.settled
  if (type === 'failed') charging.resume()

  expect(await charging.settled).toMatchObject({ output: 'Done.' })
  expect(charges).toBe(1)
  expect(await journal.read(charging.id)).toEqual(charging.log)
})

it('finds a write whose answer was lost once its journal reads it, if reads lag', async () => {
  const kept = memoryJournal()
  let lag = 1
  const read: Journal['read'] = async (...from) => (lag-- > 0 ? [] : kept.read(...from))
  const run = agent({ name: 'a', model: scriptedModel('Done.') }).start('Go', {
    journal: { ...lossyJournal(1, kept), read },
  })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(await kept.read(run.id)).toEqual(run.log)
})

it('yields to who continued behind a write whose answer was lost', async () => {
  const kept = memoryJournal()
  let isLost = false
  const append: Journal['append'] = async (id, events, options) => {
    if (!isLost) await kept.append(id, events, options)
    isLost ||= events.some(({ type }) => type === 'claimed')
    if (isLost) throw new Error('The connection was lost.')
  }
  const began = agent({ name: 'a', model: scriptedModel(calls('charge'), 'Late.'), tools })
  const first = began.start('Go', { journal: { ...kept, append } })
  expect(await first.settled).toMatchObject({ error: { code: 'journal_failed' } })

  const other = agent({ name: 'a', model: scriptedModel('In time.'), tools })
  const second = await other.resume(first.id, { journal: kept })
  await second.settled
  await second.reply('1/tool/0/interruption', 'skip')
  isLost = false
  first.resume()

  expect(await first.settled).toMatchObject({ error: { code: 'journal_conflict' } })
  expect(await second.settled).toMatchObject({ output: 'In time.' })
  expect(await kept.read(second.id)).toEqual(second.log)
})

it('asks for a strict write before a tool that changes something, and for what a user replied', async () => {
  const { journal, writes, durabilityOf } = watchedJournal()
  const model = scriptedModel(calls('look'), calls('charge'), calls('ask'), 'Done.')
  const run = agent({ name: 'a', model, tools }).start('Go', { journal })
  await run.settled
  await run.reply('3/tool/0/ask/0', 'x')
  await run.settled

  const called = writes.filter(({ types }) => types.includes('claimed'))
  expect(called.map(({ durability }) => durability)).toEqual(['relaxed', 'strict', 'strict'])
  expect([durabilityOf('replied'), durabilityOf('asked')]).toEqual(['strict', 'relaxed'])
  expect(durabilityOf('settled')).toBe('relaxed')
})

it('writes calls in one go, strictly when one of them is to be', async () => {
  const { journal, writes } = watchedJournal()
  await agent({ name: 'a', model: scriptedModel(calls('look', 'charge'), 'Done.'), tools }).start('Go', { journal })
    .settled

  const called = writes.filter(({ types }) => types.includes('claimed'))
  expect(called).toEqual([{ types: ['thought', 'claimed', 'claimed'], durability: 'strict' }])
})

it('commits at most twice in an iteration with a tool, and once more for the rest', async () => {
  const { journal, writes } = watchedJournal()
  const turns = Array.from({ length: 10 }, () => calls('charge'))
  const run = agent({ name: 'a', model: scriptedModel(...turns, 'Done.'), tools }).start('Go', { journal })
  await run.settled

  expect(writes.length).toBeLessThanOrEqual(2 * 11 + 1)
  expect(writes.filter(({ durability }) => durability === 'strict')).toHaveLength(10)
})

it('settles when the journal is full, runs no tool, and writes everything once there is room', async () => {
  let room = false
  let charged = 0
  const kept = memoryJournal()
  const append = async (id: string, events: readonly Event[], options?: AppendOptions) => {
    if (!room) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    return kept.append(id, events, options)
  }
  const charge = tool({ inputSchema, effect: 'idempotent', execute: () => ++charged })
  const described = agent({ name: 'a', model: scriptedModel(calls('charge'), 'Done.'), tools: { charge } })
  const run = described.start('Go', { journal: { ...kept, append } })
  expect(await run.settled).toMatchObject({ error: { code: 'journal_full', message: expect.stringMatching(/delete/) } })
  expect([charged, run.state.history.flat()]).toEqual([0, expect.arrayContaining([expect.anything()])])

  room = true
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect([charged, (await kept.read(run.id)).length]).toEqual([1, run.state.seq])
})
