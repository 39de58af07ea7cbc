import { chatTransport, toUIMessageStream } from '@interleave/ai-sdk'
import { remoteAgent } from '@interleave/connect/http'
import { acrossTabs } from '@interleave/connect/tabs'
import { workerHost } from '@interleave/connect/worker'
import { connectPages } from '@interleave/test-kit/connectPages'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { type HeldJournal, heldJournal } from '@interleave/test-kit/heldJournal'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { scriptedModel } from '@interleave/testing'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { agent, approval, tool } from '../index.ts'
import type { Run } from '../run.ts'
import { shownRun } from './shownRun.ts'

const id = 'r'.repeat(32)
const pay = () => tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Paid.' })
const payer = () => {
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.', 'And more.')
  return agent({ name: 'a', model, tools: { pay: pay() } })
}

/** A surface that shows a run outside of its process. */
interface Surface {
  /** Begins the run there, and gives what is shown of it: all that came, as text. */
  start(journal: HeldJournal): Promise<{ shown(): Promise<string> | string; run?: Run }>
}

const surfaces: Readonly<Record<string, Surface>> = {
  'GET of a run': {
    async start(journal) {
      const handler = openHandler([payer()], { journal })
      void call(handler, `runs/${id}`, { body: { agent: 'a', input: 'Go' } })
      return {
        shown: async () => (await call(handler, `runs/${id}`)).text(),
      }
    },
  },
  'the events of a server': {
    async start(journal) {
      const handler = openHandler([payer()], { journal })
      await call(handler, `runs/${id}`, { body: { agent: 'a', input: 'Go' } })
      const reader = (await call(handler, `runs/${id}/events`)).body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      const read = async (): Promise<void> => {
        for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) text += next.value
      }
      void read()
      return { shown: () => text }
    },
  },
  'remoteAgent()': {
    async start(journal) {
      const handler = openHandler([payer()], { journal })
      const guide = remoteAgent({
        url: 'https://edge.test/api',
        name: 'a',
        headers: { authorization: 'ada' },
        fetch: (url, init) => handler(new Request(url, init)),
      })
      return showing(guide.start('Go'))
    },
  },
  'workerAgent()': {
    async start(journal) {
      const { agent: guide } = connectPages(workerHost([payer()], { journal })).open('a')
      return showing(guide.start('Go'))
    },
  },
  'another tab': {
    async start(journal) {
      const browser = fakeBrowser(journal as never, async () => {})
      const open = () => {
        const { origin, journal } = browser.openTab()
        return acrossTabs(payer(), { origin, journal })
      }
      const owner = open().start('Go', { id })
      await expect.poll(async () => (await journal.read(id)).length).toBeGreaterThan(0)
      return showing(await open().resume(owner.id))
    },
  },
  'toUIMessageStream()': {
    async start(journal) {
      const reader = toUIMessageStream(payer().start('Go', { journal })).getReader()
      let text = ''
      const read = async (): Promise<void> => {
        for (let next = await reader.read(); !next.done; next = await reader.read()) text += JSON.stringify(next.value)
      }
      void read()
      return { shown: () => text }
    },
  },
  'the messages of a chat': {
    async start(journal) {
      const transport = chatTransport(payer(), { journal })
      const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Go' }] } as const
      void transport.sendMessages({
        chatId: id,
        messages: [{ ...message, parts: [...message.parts] }],
        trigger: 'submit-message',
        messageId: undefined,
        abortSignal: undefined,
      })
      return { shown: async () => JSON.stringify(await transport.messages(id)) }
    },
  },
}

const showing = (run: Run) => ({
  run,
  shown: () => JSON.stringify([run.state.asks, run.state.signal ?? null, run.log.map(({ type }) => type)]),
})
/** Whatever is on its way comes. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 30))
const question = /"?kind"?:"?approval|approval-request/

describe.each(Object.entries(surfaces))('%s', (_, surface) => {
  it('shows a question when the journal has it, and not before', async () => {
    const journal = heldJournal()
    journal.hold('asked')
    const { shown } = await surface.start(journal)
    await expect.poll(() => journal.held).toContain('asked')
    await settle()

    const before = await shown()
    journal.release()

    await expect.poll(shown).toMatch(question)
    expect(before).not.toMatch(question)
    expect(before).not.toMatch(/"token"|inputNeeded|settled/)
  })

  it('shows nothing of what the journal refuses', async () => {
    const journal = heldJournal()
    journal.hold('asked')
    const { shown } = await surface.start(journal)
    await expect.poll(() => journal.held).toContain('asked')

    const refusing = vi.spyOn(journal, 'append').mockRejectedValue(new Error('Disk full'))
    journal.release(new Error('Disk full'))
    await expect.poll(() => refusing.mock.calls.length).toBeGreaterThan(0)
    await settle()

    expect(await shown()).not.toMatch(question)
    expect(await shown()).not.toMatch(/"token"|inputNeeded/)
  })
})

it('shows a failure to write as long as there is one, and takes it back', async () => {
  const journal = heldJournal()
  const handler = openHandler([payer()], { journal })
  const guide = remoteAgent({
    url: 'https://edge.test/api',
    name: 'a',
    headers: { authorization: 'ada' },
    fetch: (url, init) => handler(new Request(url, init)),
  })
  journal.hold('thought')
  const run = guide.start('Go')
  await expect.poll(() => journal.held).toContain('thought')
  const refusing = vi.spyOn(journal, 'append').mockRejectedValue(new Error('Disk full'))
  journal.release(new Error('Disk full'))
  await untilSettled(run, 'failed')
  expect(run.state.signal).toMatchObject({ error: { code: 'journal_failed' } })
  expect(run.log.map(({ type }) => type)).toEqual(['started', 'said', 'settled'])

  refusing.mockRestore()
  journal.release()
  run.resume()
  await untilSettled(run, 'inputNeeded')

  const kept = await journal.read(`ada/${run.id}`)
  expect(run.log.map(({ type, at }) => [type, at])).toEqual(kept.map(({ type, at }) => [type, at]))
  run.close()
})

it('holds back what is live after something that is not durable', async () => {
  const journal = heldJournal()
  journal.hold('said')
  const run = payer().start('Go', { journal })
  const told: string[] = []
  shownRun(run).subscribe(({ type }) => told.push(type))
  await expect.poll(() => journal.held).toContain('said')
  await settle()

  expect([told, shownRun(run).state.seq, run.state.seq]).toEqual([[], 0, 2])
  journal.release()
  await untilSettled(run, 'inputNeeded')
  await expect.poll(() => shownRun(run).state).toEqual(run.state)
  expect(told.slice(0, 3)).toEqual(['started', 'said', 'thinking'])
  expect(shownRun(run).log).toEqual(run.log)
})

it('shows all of a run that has no journal', async () => {
  const run = payer().start('Go')

  expect([shownRun(run).state, shownRun(run).log]).toEqual([run.state, run.log])
})
