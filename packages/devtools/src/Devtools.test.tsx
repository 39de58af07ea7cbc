import { agent, type Run, tool } from '@interleave/core'
import { noUsage } from '@interleave/core/internal'
import { pastRun } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { goldenLog } from '../../../test/golden/goldenLogs.ts'
import { Devtools } from './Devtools.tsx'
import { Timeline } from './Timeline.tsx'
import { UsageBars, UsageChart } from './UsageChart.tsx'

afterEach(cleanup)

const double = tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 })
const doubler = () =>
  agent({
    name: 'doubler',
    instructions: 'You double numbers.',
    model: scriptedModel({ reasoning: 'Two fours.', calls: [{ name: 'double', input: { n: 4 } }] }, 'It is 8.'),
    tools: { double },
  })

const rows = (): HTMLElement[] => {
  const list = screen.queryByRole('listbox', { name: /Timeline|Events/ })
  return list ? within(list).getAllByRole('option') : []
}
const rowNames = (): string[] => rows().map(({ textContent }) => textContent ?? '')
const open = (name: string) => userEvent.click(screen.getByRole('tab', { name }))

it('shows a run as it goes, and what is selected in it', async () => {
  const made = doubler()
  const run = made.start('Double 4')
  render(<Devtools run={run} agent={made} />, { wrapper: StrictMode })
  await run.settled

  await userEvent.click(await screen.findByRole('option', { name: /^double +tool call, done/ }))
  expect(screen.getByRole('region', { name: 'Input of double' }).textContent).toContain('"n": 4')
  expect(screen.getByRole('region', { name: /^Result of double/ }).textContent).toBe('8')

  await userEvent.click(screen.getByRole('option', { name: /^Turn 1/ }))
  expect(screen.getByRole('region', { name: 'Reasoning' }).textContent).toBe('Two fours.')
  await open('Prompt')
  expect(await screen.findByText('You double numbers.')).toBeTruthy()
  expect(screen.getByText(/2 messages, 1 tool/)).toBeTruthy()
})

it('shows the messages of the log where it has no agent', async () => {
  render(<Devtools run={pastRun(goldenLog('stop-on-text'))} />)

  await userEvent.click(await screen.findByRole('option', { name: /^Turn 1/ }))
  await open('Prompt')

  expect(screen.getByText(/messages of the log/)).toBeTruthy()
  expect(screen.getAllByText('user')).toHaveLength(1)
})

it('is walked through by keys, and the selection walks along', async () => {
  render(<Devtools run={pastRun(goldenLog('stop-on-text'))} />)
  const [first] = await screen.findAllByRole('option')
  first?.focus()

  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toMatch(/^Turn 1/)
  expect(screen.queryByRole('region', { name: /^Inspector/ })).toBeNull()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('region', { name: 'Inspector: Turn 1' })).toBeTruthy()
  await userEvent.keyboard('{ArrowUp}')
  expect(screen.getByRole('region', { name: 'Inspector: said' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: /^Inspector/ })).toBeNull()
})

it('leaves the selection to the app if it controls it, and shows buttons for the event', async () => {
  const onSelect = vi.fn()
  const actions = ({ seq }: { seq: number }) => <button type="button">Fork after {seq}</button>
  const run = pastRun(goldenLog('stop-on-text'))
  render(<Devtools run={run} selected={1} onSelect={onSelect} actions={actions} />)

  expect(await screen.findByRole('button', { name: 'Fork after 1' })).toBeTruthy()
  await userEvent.click(screen.getByRole('option', { name: /^Turn 1/ }))

  expect(onSelect.mock.calls).toEqual([[2]])
  expect(screen.getByRole('region', { name: 'Inspector: said' })).toBeTruthy()
})

it('shows another run when `run` changes, and listens to none when it unmounts', async () => {
  const runs: readonly Run[] = [doubler().start('One'), doubler().start('Two')]
  const left = vi.fn()
  const watched = runs.map((run): Run => {
    const subscribe: Run['subscribe'] = (listener) => {
      const leave = run.subscribe(listener)
      return () => {
        leave()
        left()
      }
    }
    return Object.create(run, { subscribe: { value: subscribe } })
  })
  const { rerender, unmount } = render(<Devtools run={watched[0]} />)
  await screen.findByRole('option', { name: /^One/ })

  rerender(<Devtools run={watched[1]} />)
  await screen.findByRole('option', { name: /^Two/ })
  expect(screen.queryByRole('option', { name: /^One/ })).toBeNull()
  expect(left).toHaveBeenCalledTimes(1)
  unmount()

  expect(left).toHaveBeenCalledTimes(2)
})

it('keeps neither the selection nor the filter of another run', async () => {
  const { rerender } = render(<Devtools run={pastRun(goldenLog('approval-edited-then-a-question'))} />)
  await open('Log')
  await waitFor(() => expect(rows().length).toBeGreaterThan(5))
  await userEvent.selectOptions(screen.getByLabelText('Show events of type'), 'asked')
  await userEvent.click(screen.getAllByRole('option', { name: /^\d+ asked/ })[0] as HTMLElement)
  expect(screen.getByRole('region', { name: 'Inspector: Question' })).toBeTruthy()

  rerender(<Devtools run={doubler().start('One')} />)

  await waitFor(() => expect(rowNames()[0]).toMatch(/^0 started/))
  expect(screen.queryByRole('region', { name: /^Inspector/ })).toBeNull()
})

it('gives the focus back to the row when the inspector is closed', async () => {
  render(<Devtools run={pastRun(goldenLog('approval-edited-then-a-question'))} />)
  const row = await screen.findByRole('option', { name: /^Turn 1/ })
  await userEvent.click(row)

  screen.getByRole('button', { name: 'Close the inspector' }).focus()
  await userEvent.keyboard('{Enter}')

  expect(screen.queryByRole('region', { name: /^Inspector/ })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('option', { name: /^Turn 1/ }))
})

it('refuses what is not a run, such as a promise of one', () => {
  const promise = Promise.resolve(doubler().start('One')) as unknown as Run

  expect(() => render(<Timeline run={promise} />)).toThrow('The run of the devtools must be an object with subscribe()')
})

it('has only the rows in the page that are in view', async () => {
  const [started] = goldenLog('stop-on-text')
  if (!started) throw new Error('The log is empty.')
  const note = { type: 'noted', key: 'place', value: 1, iteration: 0 } as const
  const many = Array.from({ length: 10_000 }, (_, index) => ({ ...note, seq: index + 1, at: started.at + index }))
  render(<Devtools run={pastRun([started, ...many])} />)
  await open('Log')

  await waitFor(() => expect(rowNames().length).toBeGreaterThan(5))
  expect(rowNames().length).toBeLessThan(60)
  expect(rows()[0]?.getAttribute('aria-setsize')).toBe('10001')
})

it('finds events by type and by words', async () => {
  render(<Devtools run={pastRun(goldenLog('approval-edited-then-a-question'))} />)
  await open('Log')
  await waitFor(() => expect(rows().length).toBeGreaterThan(5))

  await userEvent.selectOptions(screen.getByLabelText('Show events of type'), 'asked')
  expect(rowNames()).toEqual([expect.stringMatching(/^\d+ asked /), expect.stringMatching(/^\d+ asked /)])
  await userEvent.type(screen.getByLabelText('Search the log'), 'nothing like this')

  expect(await screen.findByText('No matching events.')).toBeTruthy()
})

it('opens the state by keys, as a tree', async () => {
  render(<Devtools run={pastRun(goldenLog('stop-on-text'))} />)
  await open('State')
  const [root] = screen.getAllByRole('treeitem')
  root?.focus()

  const usage = screen.getByRole('treeitem', { name: /^usage/ })
  await userEvent.click(usage)
  expect(screen.getByRole('treeitem', { name: /^usage/ }).getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{ArrowRight}')
  expect(document.activeElement?.textContent).toMatch(/^inputTokens: \d+/)
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')

  expect(screen.getByRole('treeitem', { name: /^usage/ }).getAttribute('aria-expanded')).toBe('false')
})

it('marks in a state of the past what its last event changed, and nothing in a run that continues', async () => {
  const events = goldenLog('stop-on-text')
  const thought = events.findIndex(({ type }) => type === 'thought')
  const { rerender } = render(<Devtools run={pastRun(events.slice(0, thought + 1))} />)
  await open('State')

  await screen.findByText(`Marked: changed by event ${thought}, thought`)
  expect(screen.getByRole('treeitem', { name: /^usage.* changed$/ })).toBeTruthy()
  expect(screen.queryByRole('treeitem', { name: /^agent.* changed$/ })).toBeNull()
  await userEvent.click(screen.getByRole('treeitem', { name: /^usage/ }))
  expect(screen.getByRole('treeitem', { name: /^inputTokens: \d+ changed$/ })).toBeTruthy()
  expect(screen.queryByRole('treeitem', { name: /^reasoningTokens.* changed$/ })).toBeNull()

  const run = agent({ name: 'one', model: scriptedModel('Hi.') }).start('Hello')
  await run.settled
  rerender(<Devtools run={run} />)
  await screen.findByRole('treeitem', { name: /^agent: "one"/ })
  expect(screen.queryByText(/^Marked/)).toBeNull()
})

it('shows tokens as bars and as a table, and says which are estimated', async () => {
  const guessed = goldenLog('conversation-over-two-messages').map((event) =>
    event.type === 'thought' ? { ...event, providerMetadata: { local: { usage: 'estimated' } } } : event,
  )
  render(<Devtools run={pastRun(guessed)} />)
  await open('Usage')

  expect(await screen.findByRole('option', { name: /^Turn 1: input 10, output 5, cost no price/ })).toBeTruthy()
  expect(screen.getByText(/≈ Estimated/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Table' }))
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('≈ 10')
})

it('shows a turn that streams, and what came of it', async () => {
  let say = (_: string): void => {}
  const words = new Promise<string>((resolve) => {
    say = resolve
  })
  const run = agent({ name: 'slow', model: scriptedModel(async () => words) }).start('Hello')
  render(<Devtools run={run} />)

  await userEvent.click(await screen.findByRole('option', { name: /^Turn 1 +model call, working/ }))
  expect(screen.getByText('Waiting for the first token.')).toBeTruthy()
  await act(async () => {
    say('Hi there.')
    await run.settled
  })

  expect(await screen.findByRole('option', { name: /^Turn 1 +model call, done/ })).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Text' }).textContent).toBe('Hi there.')
})

it('looks into a bar of the usage with Enter, and leaves it with Escape', async () => {
  const chosen: (number | undefined)[] = []
  render(<UsageChart run={pastRun(goldenLog('stop-on-text'))} onSelect={(seq) => chosen.push(seq)} />)
  const bar = await screen.findByRole('option', { name: /^Turn 1/ })
  bar.focus()

  await userEvent.keyboard('{Home}{End}{Enter} {Escape}')

  const seq = goldenLog('stop-on-text').findLast(({ type }) => type === 'thought')?.seq
  expect(chosen).toEqual([seq, seq, undefined])
})

it('gives each level of an axis its own number, also for turns that used nothing', () => {
  const buckets = [{ title: 'Turn 1', seq: 2, usage: noUsage, rows: 1 }]
  const { container } = render(<UsageBars buckets={buckets} measure="tokens" />)

  const levels = [...container.querySelectorAll('[data-part="levels"] span')].map(({ textContent }) => textContent)

  expect(levels).toEqual(['2', '1', '0'])
})
