import { remoteAgent, remotePermissionStore } from '@interleave/connect/http'
import { agent, approval, localHost, type Run, reasonAct, tool } from '@interleave/core'
import { keyValuePermissionStore, memoryJournal, type PermissionStore } from '@interleave/core/journal'
import { failureSentences } from '@interleave/core/observe'
import { rememberPermissions } from '@interleave/core/steps'
import { createHandler } from '@interleave/server'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults, renderRun } from '../testing/renderAsk.tsx'
import { Transcript } from '../transcript/Transcript.tsx'
import { useReAct } from '../useReAct.ts'
import { PermissionList } from './PermissionList.tsx'

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
      <PermissionList run={run} />
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
function watchedStore(): PermissionStore {
  const store = keyValuePermissionStore(new Map(), { user: 'ann' })
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
  const start = () => payer({}, rememberPermissions(reasonAct(), { store })).start('Pay')
  const run = start()
  await renderRun(run, <PermissionList run={run} store={store} />)
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
  render(<PermissionList run={undefined} agent="payer" store={store} title="The payer" />)
  await screen.findByRole('region', { name: 'The payer' })
  await userEvent.click(await screen.findByRole('button', { name: 'Take back', description }))

  await waitFor(() => expect(screen.queryByRole('region')).toBeNull())
  expect((await start().settled).type).toBe('inputNeeded')
})

it('lists what is allowed for good on a server, and takes it back there', async () => {
  const permissionStore = keyValuePermissionStore(new Map(), { user: 'ann' })
  const handle = createHandler({
    agents: [payer({}, rememberPermissions(reasonAct(), { store: permissionStore }))],
    ...{ journal: memoryJournal(), secret: 'a secret for tests only, of 32 bytes and more', authorize: () => 'ann' },
    permissionStore: () => permissionStore,
  })
  const timer = (ms: number, done: () => void) => localHost.timer(Math.min(ms, 50), done)
  const fetch = (url: string, init: RequestInit) => handle(new Request(url, init))
  const server = { url: 'https://edge.test', fetch }
  const store = remotePermissionStore({ ...server, host: { ...localHost, timer } })
  const remote = remoteAgent({ ...server, name: 'payer' })
  const run = remote.start('Pay')
  await renderRun(run, <PermissionList run={run} store={store} />)
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

  render(<PermissionList run={undefined} agent="payer" store={store} />)

  expect((await screen.findByRole('alert')).textContent).toBe(failureSentences.step_failed)
})

it('asks again unless the user says otherwise', async () => {
  const run = await shown()

  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  await act(() => run.settled)
  expect(run.state.permissions).toBeUndefined()
})

it('offers what the tool lets a user allow', async () => {
  await shown({ remember: 'never' })
  expect(next()).toBeNull()
  cleanup()

  const run = await shown({ remember: 'input', rememberBy: ['to'] })
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
  const failing = Object.assign(Object.create(run), { revoke: () => Promise.reject(new Error('No connection.')) })
  render(<PermissionList run={failing} />)

  await userEvent.click(screen.getByRole('button', { name: 'Take back' }))

  expect((await screen.findByRole('alert')).textContent).toBe(failureSentences.step_failed)
})

it('gives a component of useReAct what is allowed, and takes it back', async () => {
  const run = payer({}).start('Pay')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true, remember: 'input' })
  await run.settled
  const { result } = renderHook(() => useReAct(payer({}), { run }))
  expect(result.current.permissions).toMatchObject([{ scope: 'input', ask: { tool: 'pay' } }])

  await act(() => result.current.revoke(result.current.permissions[0]?.id ?? ''))

  expect(result.current.permissions).toEqual([])
})

it('shows the whole input if it lacks a member by which inputs are compared', async () => {
  const run = await shown({ rememberBy: ['to', 'iban'] })

  await act(() => run.reply('1/tool/0/approval', { approved: true, remember: 'input' }))

  expect(screen.getByRole('region', { name: 'Always allowed' }).textContent).toContain(
    'pay with {"to":"Ada","amount":5}',
  )
})
