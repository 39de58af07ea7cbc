import { agent, approval, choice, file, tool } from '@interleave/core'
import { fold, type LiveEvent, reduce, staticRun } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { faults } from '../testing/renderAsk.tsx'
import type { ToolCardProps } from './ToolCard.tsx'
import { Transcript } from './Transcript.tsx'

afterEach(cleanup)

const bookTable = tool({
  inputSchema: z.object({ people: z.number() }),
  execute: async ({ people }, { ask }) => ({
    people,
    at: await ask(choice({ prompt: 'When?', options: [{ value: '18', label: 'Six' }, '20'] })),
  }),
})
const cancel = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Cancelled.' })
const model = () =>
  scriptedModel(
    { text: 'Let me see.', calls: [{ name: 'bookTable', input: { people: 4 } }] },
    {
      calls: [
        { name: 'bookTable', input: { people: 'four' } },
        { name: 'cancel', input: {} },
      ],
    },
    'Booked.',
  )
const waiter = agent({ name: 'waiter', model: model(), tools: { bookTable, cancel } })

function BookingCard({ message }: ToolCardProps<typeof waiter, 'bookTable'>) {
  if (message.state === 'writing') return <b>For {message.input?.people ?? '…'}</b>
  if (message.state === 'failed' || message.state === 'refused') return <b>No table: {message.error.code}</b>
  return (
    <b>
      A table for {message.input.people.toFixed(0)}
      {message.state === 'done' && `, at ${message.output.at}`}
    </b>
  )
}

/** A run that books a table, fails to book another, and may not cancel. */
async function dinner() {
  const run = agent({ name: 'waiter', model: model(), tools: { bookTable, cancel } }).start('A table, please.')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', '18')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: false, reason: 'Keep it.' })
  await run.settled
  return run
}

it('shows each message, and calls with the component of their tool or the built-in card', async () => {
  const run = await dinner()
  const { container } = render(<Transcript run={run} tools={{ bookTable: BookingCard }} />)
  const items = [...container.querySelectorAll('li')].map(
    ({ dataset, textContent }) => `${dataset.type} ${dataset.state ?? ''}: ${textContent}`,
  )

  expect(items).toEqual([
    'user sent: You said: A table, please.',
    'text : waiter: Let me see.',
    'call done: A table for 4, at 18',
    'question : When? Six',
    'call failed: No table: tool_input_invalid',
    expect.stringMatching(/^call refused: cancel refused ?Keep it\./),
    'question : Allow cancel? Refused',
    'text : waiter: Booked.',
  ])
  expect(await faults()).toEqual([])
})

it('shows what streams of an input', () => {
  const delta = { type: 'delta', kind: 'input', id: 'c', tool: 'bookTable', delta: '{"people": 4,' } satisfies LiveEvent
  const run = staticRun(reduce(fold([]), delta)) as ReturnType<typeof waiter.start>

  render(<Transcript run={run} tools={{ bookTable: BookingCard }} />)

  expect(screen.getByText('For 4')).toBeTruthy()
})

it('contains the error of a component until its call changes', async () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  const Fragile = ({ message }: ToolCardProps<typeof waiter, 'cancel'>) => {
    if (message.state === 'waiting') throw new Error('Not like this.')
    return <b>Mine: {message.state}</b>
  }
  const run = agent({
    name: 'w',
    model: scriptedModel({ calls: [{ name: 'cancel', input: {} }] }, 'Ok.'),
    tools: { cancel },
  }).start('Go')
  await run.settled
  render(<Transcript run={run} tools={{ cancel: Fragile }} />)
  const waiting = screen.getByText('waiting for you', { selector: 'summary small' })

  await act(async () => {
    await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
    await run.settled
  })

  expect(waiting.isConnected).toBe(false)
  expect(screen.getByText('Mine: done')).toBeTruthy()
  quiet.mockRestore()
})

it('shows texts whole, but not a hundred thousand marks on one letter, which would freeze the page', async () => {
  const pile = (mark: string): string => `a${mark.repeat(100_000)}b`
  const model = scriptedModel({ reasoning: pile('\u0301'), text: `${pile('\u0e34')}${'c'.repeat(100_000)}` })
  const run = agent({ name: 'piled', model }).start(pile('🏽'))
  await run.settled

  const { container } = render(<Transcript run={run} />)

  expect([...container.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    `a${'🏽'.repeat(30)}…b`,
    `a${'\u0301'.repeat(30)}…b`,
    `a${'\u0e34'.repeat(30)}…b${'c'.repeat(100_000)}`,
  ])
})

it('renders on a server as in the page', async () => {
  const run = await dinner()
  const { container } = render(<Transcript run={run} />)

  const rendered = document.createElement('div')
  rendered.innerHTML = renderToString(<Transcript run={run} />)
  // A server writes styles without blanks.
  const written = ({ innerHTML }: Element): string => innerHTML.replaceAll(/ style="[^"]*"/g, '')
  expect(written(rendered)).toBe(written(container))
})

it('shows the images of a message, and loads none from elsewhere', async () => {
  const talker = agent({ name: 'talker', model: scriptedModel('Nice.') })
  const run = talker.start([
    { type: 'text', text: 'Look.' },
    file(new Uint8Array([1, 2, 3]), 'image/png', { filename: 'cat.png' }),
    file(new URL('https://example.com/far.png'), 'image/png', { filename: 'far.png' }),
  ])
  await run.settled
  render(<Transcript run={run} />)

  expect(screen.getAllByRole('img').map((image) => image.getAttribute('src'))).toEqual(['data:image/png;base64,AQID'])
  expect(screen.getByText('far.png')).toBeTruthy()
})
