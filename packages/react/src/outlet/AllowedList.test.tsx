import { remoteAgent, remoteAllowStore } from '@interleave/connect/http'
import { agent, approval, localHost, type Run, reasonAct, tool } from '@interleave/core'
import { type AllowStore, keyValueAllowStore, memoryJournal } from '@interleave/core/journal'
import { failureSentences } from '@interleave/core/observe'
import { allowForGood } from '@interleave/core/steps'
import { createHandler } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults, renderRun } from '../testing/renderAsk.tsx'
import { Transcript } from '../transcript/Transcript.tsx'
import { useReAct } from '../useReAct.ts'
import { AllowedList } from './AllowedList.tsx'

afterEach(cleanup)

const calls = [{ name: 'pay', input: { to: 'Ada', amount: 5 } }]
const payer = (approve: object, backend = reasonAct()) =>
  agent({
    name: 'payer',
    backend,
    model: scriptedModel({ calls }, 'Once.', { calls }, 'Twice.', { calls }),
    tools: {
      pay: tool({
        inputSchema: z.object({ to: z.string(), amount: z.number() }),
        approve: approval({ ...approve }),
        execute: () => 'Paid.',
      }),
    },
  })

async function shown(approve: object = {}): Promise<Run> {
  const run = payer(approve).start('Pay', { journal: memoryJournal() })
  await renderRun(
    run,
    <>
      <Transcript run={run} />
      <AllowedList run={run} />
    </>,
  )
  return run
}
const next = () => screen.queryByRole('combobox', { name: 'If approved, next time' })
const options = () => [...(next()?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)

it('allows later calls with the keyboard alone, shows that, and takes it back', async () => {
  const run = await shown()
  const user = userEvent.setup()
  expect(options()).toEqual(['Ask again', 'Allow this tool with this input', 'Allow this tool with any input'])
  expect(await faults()).toEqual([])

  await user.selectOptions(next() as HTMLElement, 'tool')
  screen.getByRole('button', { name: 'Approve' }).focus()
  await user.keyboard('{Enter}')
  await act(() => run.settled)
  await act(() => run.say('Again'))
  await waitFor(() => expect(run.state.signal).toMatchObject({ output: 'Twice.' }))

  expect(screen.getByText('done, allowed earlier')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Always allowed' }).textContent).toContain('pay with any input')
  expect(await faults()).toEqual([])
  const back = screen.getByRole('button', { name: 'Take back', description: 'pay with any input' })
  back.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Always allowed' })).toBeNull())

  await act(() => run.say('Once more'))
  await screen.findByRole('dialog')
})

/** A store that reports its changes, as the one of a browser does. */
function watchedStore(): AllowStore {
  const store = keyValueAllowStore(new Map(), { user: 'ann' })
  const listeners = new Set<() => void>()
  const told = <Args extends unknown[]>(work: (...args: Args) => PromiseLike<void>) => {
    return async (...args: Args): Promise<void> => {
      await work(...args)
      for (const listener of listeners) listener()
    }
  }
  const watch = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { list: store.list, add: told(store.add), remove: told(store.remove), watch }
}

it('allows for good what is kept, lists that with what the run allows, and takes it back', async () => {
  const store = watchedStore()
  const start = () => payer({}, allowForGood(reasonAct(), { store })).start('Pay')
  const run = start()
  await renderRun(run, <AllowedList run={run} store={store} />)
  expect(options()).toEqual([
    'Ask again',
    'Allow this tool with this input, for this run',
    'Allow this tool with any input, for this run',
    'Allow this tool with this input, for good',
    'Allow this tool with any input, for good',
  ])
  await userEvent.selectOptions(next() as HTMLElement, 'Allow this tool with any input, for good')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await act(() => run.settled)
  const description = 'pay with any input, for good'
  await screen.findByRole('button', { name: 'Take back', description })
  expect(await faults()).toEqual([])
  const other = start()
  expect(await other.settled).toMatchObject({ output: 'Once.' })

  cleanup()
  render(<AllowedList run={undefined} agent="payer" store={store} title="The payer" />)
  await screen.findByRole('region', { name: 'The payer' })
  await userEvent.click(await screen.findByRole('button', { name: 'Take back', description }))

  await waitFor(() => expect(screen.queryByRole('region')).toBeNull())
  expect((await start().settled).type).toBe('inputNeeded')
})

it('lists what is allowed for good on a server, and takes it back there', async () => {
  const allowStore = keyValueAllowStore(new Map(), { user: 'ann' })
  const handle = createHandler({
    agents: [payer({}, allowForGood(reasonAct(), { store: allowStore }))],
    ...{ journal: memoryJournal(), secret: 'a secret for tests only, of 32 bytes and more', authorize: () => 'ann' },
    allowStore: () => allowStore,
  })
  const timer = (ms: number, done: () => void) => localHost.timer(Math.min(ms, 50), done)
  const fetch = (url: string, init: RequestInit) => handle(new Request(url, init))
  const server = { url: 'https://edge.test', fetch }
  const store = remoteAllowStore({ ...server, host: { ...localHost, timer } })
  const remote = remoteAgent({ ...server, name: 'payer' })
  const run = remote.start('Pay')
  await renderRun(run, <AllowedList run={run} store={store} />)
  await userEvent.selectOptions(next() as HTMLElement, 'Allow this tool with any input, for good')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  const button = await screen.findByRole('button', { name: 'Take back', description: 'pay with any input, for good' })
  expect((await remote.start('Pay').settled).type).toBe('answer')

  await userEvent.click(button)

  await waitFor(() => expect(screen.queryByRole('region')).toBeNull())
  expect((await remote.start('Pay').settled).type).toBe('inputNeeded')
})

it('says that what is allowed for good cannot be read', async () => {
  const store = { ...watchedStore(), list: () => Promise.reject(new Error('No database.')) }

  render(<AllowedList run={undefined} agent="payer" store={store} />)

  expect((await screen.findByRole('alert')).textContent).toBe(failureSentences.step_failed)
})

it('asks again unless the user says otherwise', async () => {
  const run = await shown()

  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  await act(() => run.settled)
  expect(run.state.allowed).toBeUndefined()
})

it('offers what the tool lets a user allow', async () => {
  await shown({ allow: 'once' })
  expect(next()).toBeNull()
  cleanup()

  const run = await shown({ allow: 'input', allowBy: ['to'] })
  expect(options()).toEqual(['Ask again', 'Allow this tool with the same to'])
  await userEvent.selectOptions(next() as HTMLElement, 'input')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  await act(() => run.settled)
  expect(screen.getByRole('region', { name: 'Always allowed' }).textContent).toContain('pay with {"to":"Ada"}')
})

it('shows why a permission cannot be taken back', async () => {
  const run = await shown()
  await userEvent.selectOptions(next() as HTMLElement, 'tool')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await act(() => run.settled)
  cleanup()
  const failing = Object.assign(Object.create(run), { disallow: () => Promise.reject(new Error('No connection.')) })
  render(<AllowedList run={failing} />)

  await userEvent.click(screen.getByRole('button', { name: 'Take back' }))

  expect((await screen.findByRole('alert')).textContent).toBe(failureSentences.step_failed)
})

it('gives a component of useReAct what is allowed, and takes it back', async () => {
  const run = payer({}).start('Pay')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true, always: 'input' })
  await run.settled
  const { result } = renderHook(() => useReAct(payer({}), { run }))
  expect(result.current.allowed).toMatchObject([{ always: 'input', ask: { tool: 'pay' } }])

  await act(() => result.current.disallow(result.current.allowed[0]?.id ?? ''))

  expect(result.current.allowed).toEqual([])
})

it('shows the whole input if it lacks a member by which inputs are compared', async () => {
  const run = await shown({ allowBy: ['to', 'iban'] })

  await act(() => run.reply('1/tool/0/approval', { approved: true, always: 'input' }))

  expect(screen.getByRole('region', { name: 'Always allowed' }).textContent).toContain(
    'pay with {"to":"Ada","amount":5}',
  )
})
