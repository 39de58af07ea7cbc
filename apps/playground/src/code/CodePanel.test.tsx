import { agent, choice, type Run, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createPlayground } from '../run/createPlayground.ts'
import { createEventLog } from '../run/eventLog.ts'
import { createFinder } from '../run/finder.ts'
import { CodePanel } from './CodePanel.tsx'

afterEach(cleanup)

const askUser = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})
const start = (): Run =>
  agent({
    name: 'trip planner',
    model: scriptedModel({ calls: [{ name: 'askUser', input: {} }] }, 'Done.'),
    tools: { askUser },
  }).start('Hi')

function show(run: Run, change: { readonly file?: string } = {}): void {
  const { offer, connection } = createPlayground().store.getState()
  const runModel = { model: scriptedModel(), priceOf: () => undefined, change: async () => {} }
  const about = { offer, file: offer.file, connection, lacksKey: false, place: 'page', graph: undefined } as const
  const conversation = {
    ...about,
    run,
    log: createEventLog(),
    runModel,
    finder: createFinder(),
    close: () => {},
    kill: () => {},
    title: '',
  }
  render(<CodePanel conversation={{ ...conversation, ...change }} />)
}

const lit = (): string[] =>
  [...document.querySelectorAll('[aria-current="step"]')].map((line) => line.textContent.trim())
const changed = (): string[] => [...document.querySelectorAll('[data-changed]')].map((line) => line.textContent.trim())
const press = (name: string): boolean => fireEvent.click(screen.getByRole('button', { name }))

it('lights the line that works, and says so', async () => {
  const run = start()
  show(run)
  await act(() => run.settled)

  expect(await screen.findByText('askUser asks you.')).toBeTruthy()
  expect(lit()).toEqual(['askUser: askUser(),'])
  await act(() => run.reply(run.state.asks[0]?.id ?? '', 'a'))
  await act(() => run.settled)

  expect(await screen.findByText('Nothing is running.')).toBeTruthy()
  expect(lit()).toEqual([])
})

it('marks the lines that a choice changes', () => {
  show(start())
  expect(changed()).toEqual([])

  press('Worker')
  expect(screen.getByRole('heading', { name: 'src/tripPlanner.worker.ts new' })).toBeTruthy()
  expect(changed()).toContain("import { tripPlanner } from './workerTripPlanner.ts'")
  press('TypeScript')

  expect(screen.getByRole('heading', { name: 'src/main.ts new' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'src/tripPlanner.worker.ts' })).toBeTruthy()
  expect(changed()).toEqual([])
})

it('says why an agent is not shown as code', () => {
  show(start(), { file: 'interleave: 1\nagents: { a: { model: chosen, backend: { compact: {} } } }' })

  expect(screen.getByText(/Its file uses the step compact/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull()
})
