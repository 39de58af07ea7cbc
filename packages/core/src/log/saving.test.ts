import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AgentError, agent, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'

const away = (): AgentError => new AgentError('journal_failed', 'The database fails over.', { retryable: true })

/** A run whose journal is away from its first call on. */
async function interruptedRun(fail: () => unknown = () => Promise.reject(away())) {
  const [kept, host] = [memoryJournal(), manualHost()]
  let isAway = false
  const charge = vi.fn<() => string>(() => 'charged')
  const tools = { charge: tool({ inputSchema: z.object({}), execute: charge }) }
  const model = scriptedModel({ calls: [{ name: 'charge', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools }).start('Go', {
    host,
    journal: {
      ...kept,
      append(id, events, options) {
        isAway ||= events.some(({ type }) => type === 'claimed') && charge.mock.calls.length === 0 && !isBack
        return isAway ? (fail() as Promise<void>) : kept.append(id, events, options)
      },
    },
  })
  let isBack = false
  const comeBack = (): void => {
    isBack = true
    isAway = false
  }
  await expect.poll(() => isAway).toBe(true)
  return { run, host, kept, charge, comeBack }
}

it('tries a write again until the journal is back, says so meanwhile, and does everything once', async () => {
  const { run, host, kept, charge, comeBack } = await interruptedRun()
  await host.advance(6_000)

  expect(run.state.signal).toBeUndefined()
  expect(run.state.saving).toEqual({ attempt: 5, inMs: 4_000 })
  expect(charge).not.toHaveBeenCalled()
  comeBack()
  await host.advance(15_000)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(charge).toHaveBeenCalledTimes(1)
  expect(run.state.saving).toBeUndefined()
  expect(await kept.read(run.id)).toEqual(run.log)
})

it('fails after minutes, and then is resumed as before', async () => {
  const { run, host, comeBack } = await interruptedRun()
  for (let minute = 0; minute < 6; minute++) await host.advance(60_000)

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed', retryable: true } })
  expect(run.state.saving).toBeUndefined()
  comeBack()
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('shows a stop at once, and writes it when the journal is back', async () => {
  const { run, host, kept, charge, comeBack } = await interruptedRun()
  await host.advance(1_000)

  const stopped = run.stop('Enough.')
  await expect.poll(() => run.state.signal).toMatchObject({ type: 'stopped', reason: 'Enough.' })
  await host.advance(60_000)
  expect(run.state.signal).toMatchObject({ type: 'stopped' })
  expect(run.state.saving).toBeDefined()
  comeBack()
  await host.advance(15_000)
  await stopped

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(run.state.saving).toBeUndefined()
  expect(charge).not.toHaveBeenCalled()
  expect(await kept.read(run.id)).toEqual(run.log)
})

it('keeps an answer that came before a stop in an outage', async () => {
  const [kept, host] = [memoryJournal(), manualHost()]
  let isAway = false
  const run = agent({ name: 'a', model: scriptedModel('Done.') }).start('Go', {
    host,
    journal: {
      ...kept,
      append(id, events, options) {
        isAway ||= events.some(({ type }) => type === 'thought') && host.now() === 0
        return isAway ? (Promise.reject(away()) as Promise<void>) : kept.append(id, events, options)
      },
    },
  })
  await expect.poll(() => run.state.saving).toBeDefined()

  const stopped = run.stop()
  await expect.poll(() => run.state.signal).toMatchObject({ type: 'answer', output: 'Done.' })
  isAway = false
  await host.advance(15_000)
  await stopped

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(await kept.read(run.id)).toEqual(run.log)
})

it('continues after a stop in an outage, with everything that was said', async () => {
  const { run, host, kept, charge, comeBack } = await interruptedRun()
  await host.advance(1_000)
  const stopped = run.stop()
  const said = run.say('Go on')
  comeBack()
  await host.advance(15_000)
  await Promise.all([stopped, said])

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(charge).not.toHaveBeenCalled()
  expect(await kept.read(run.id)).toEqual(run.log)
})

it.each([
  ['any other exception', () => new Error('No such table.')],
  ['a failure that is not retryable', () => new AgentError('not_allowed', 'No.')],
  ['a full journal', () => new AgentError('journal_full', 'Full.', { retryable: true })],
])('fails at once with %s', async (_, error) => {
  const { run, host } = await interruptedRun(() => Promise.reject(error()))

  expect(await run.settled).toMatchObject({ type: 'failed' })
  expect(host.now()).toBe(0)
})

it('says of a write that it failed, although it was a read of it that did', async () => {
  const kept = memoryJournal()
  const fail = (): never => {
    throw new Error('down')
  }
  const run = agent({ name: 'a', model: scriptedModel('Hi.') }).start('Go', {
    journal: { ...kept, append: fail, read: fail },
  })

  expect(await run.settled).toMatchObject({ error: { message: 'The journal could not be written: down' } })
})
