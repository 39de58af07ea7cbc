import { agent, approval, choice, confirm, type Listener, type Run, text, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { END, graph } from '@interleave/core/graph'
import { staticRun } from '@interleave/core/observe'
import { askUser } from '@interleave/core/tools'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults, renderAsk, renderRun } from '../testing/renderAsk.tsx'
import { askingAgent } from '../testing/testSupport.tsx'
import type { AskProps } from './AskForm.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const color = choice({ prompt: 'Which color?', options: ['Red', 'Blue'] })
const name = text({ prompt: 'Your name?' })

it('asks one question after the other', async () => {
  const { user, answers } = await renderAsk(color, name)
  const first = screen.getByRole('dialog', { name: 'Which color?' }).textContent

  await user.keyboard('2{Enter}')
  await screen.findByRole('dialog', { name: 'Your name?' })
  await user.keyboard('Ada{Enter}')

  expect(first).toContain('Question 1 of 2')
  expect(await answers()).toEqual(['Blue', 'Ada'])
})

it('puts questions off, says how many wait, and shows them again with what was typed', async () => {
  const { run, user } = await renderAsk(name, color)
  await user.keyboard('Ad')

  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
  const closed = screen.queryByRole('dialog')
  const found = await faults()
  await user.click(screen.getByRole('button', { name: '2 questions waiting' }))

  expect([closed, found, run.state.asks.length]).toEqual([null, [], 2])
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Your name?' }).value).toBe('Ad')
})

it('leaves a question put off that a server sends again after a lost connection', async () => {
  const of = askingAgent(name).start('Go')
  await of.settled
  let state = of.state
  const listeners = new Set<Listener>()
  const run: Run = {
    ...staticRun(state),
    get state() {
      return state
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  await renderRun(run)
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))

  await act(async () => {
    state = JSON.parse(JSON.stringify(state))
    for (const listener of listeners) listener({ type: 'rewound', to: state.seq }, state)
  })

  expect(screen.queryByRole('dialog')).toBe(null)
  expect(screen.getByRole('button', { name: '1 question waiting' })).toBeTruthy()
})

it('stays open when a file picker in it is closed', async () => {
  await renderAsk(name)

  fireEvent(screen.getByRole('textbox'), new Event('cancel', { bubbles: true }))

  expect(screen.getByRole('dialog')).toBeTruthy()
})

it('closes when the question is withdrawn', async () => {
  const { run } = await renderAsk(name)

  await act(() => run.reply('1/tool/0/ask/0', 'Ada'))

  expect(screen.queryByRole('dialog')).toBe(null)
  expect(screen.queryByRole('button')).toBe(null)
})

it('does not open while the user is typing', async () => {
  const run = askingAgent(name).start('Go')
  await run.settled
  const Page = ({ isOn }: { readonly isOn: boolean }) => (
    <>
      <textarea aria-label="Message" />
      <SignalOutlet run={isOn ? run : undefined} />
    </>
  )
  const { rerender } = render(<Page isOn={false} />)
  await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'By the w')

  rerender(<Page isOn />)

  expect(screen.queryByRole('dialog')).toBe(null)
  expect(screen.getByRole('button').textContent).toBe('1 question waiting')
  await waitFor(() =>
    expect(screen.getByRole('status').textContent).toBe('asker, using ask asks: Your name? (Control+. opens it)'),
  )
})

it('shows the question of another run as another question', async () => {
  const [first, second] = [askingAgent(name).start('Go'), askingAgent(name).start('Go')]
  await Promise.all([first.settled, second.settled])
  const { rerender } = render(<SignalOutlet run={first} />)
  await userEvent.keyboard('Ada')
  await userEvent.click(screen.getByRole('button', { name: 'Answer later' }))

  rerender(<SignalOutlet run={second} />)

  expect(screen.getByRole('dialog', { name: 'Your name?' })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('')
})

it('leaves opening and closing to the app that says so', async () => {
  const run = askingAgent(name).start('Go')
  await run.settled
  const asked: boolean[] = []
  const props = { run, onOpenChange: (open: boolean) => asked.push(open) }

  const { rerender } = render(<SignalOutlet {...props} open={false} />)
  const before = screen.queryByRole('dialog')
  rerender(<SignalOutlet {...props} open />)
  await userEvent.click(screen.getByRole('button', { name: 'Answer later' }))

  expect([before, asked]).toEqual([null, [true, false]])
  expect(screen.getByRole('dialog')).toBeTruthy()
})

it('renders own components for a kind of question', async () => {
  const run = askingAgent(confirm({ prompt: 'Go?' })).start('Go')
  await run.settled
  const Swipe = ({ ask, reply }: AskProps<'confirm'>) => (
    <button type="button" onClick={() => void reply(true)}>
      Swipe for {ask.yes}
    </button>
  )
  render(<SignalOutlet run={run} components={{ confirm: Swipe }} />)

  await userEvent.click(screen.getByRole('button', { name: 'Swipe for Yes' }))

  expect(await act(() => run.settled)).toMatchObject({ type: 'answer' })
})

it('shows nothing without a run, and nothing open on a server', async () => {
  const run = askingAgent(name).start('Go')
  await run.settled
  render(<SignalOutlet run={undefined} className="asks" />)

  expect(screen.getByRole('status').textContent).toBe('')
  expect(renderToString(<SignalOutlet run={run} />)).not.toContain('<dialog open')
})

it('says which agent uses a tool, if it was handed the run', async () => {
  const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'paid' })
  const clerk = agent({ name: 'clerk', model: scriptedModel({ calls: [{ name: 'pay', input: {} }] }), tools: { pay } })
  const backend = graph({ name: 'g', nodes: { clerk }, start: 'clerk', edges: { clerk: END } })
  const run = agent({ name: 'boss', backend }).start('Go')
  await run.settled

  render(<SignalOutlet run={run} />)

  expect(screen.getByRole('dialog').textContent).toContain('Asked by clerk, using pay')
})

it.each([
  ['clerk', 'Asked by clerk, working for boss'],
  ['help', 'Asked by clerk (help), working for boss'],
])('says which agent asks, where one works for another by the tool %s', async (name, says) => {
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel({ calls: [{ name: 'askUser', input: { question: 'Which?', kind: 'text' } }] }),
    tools: { askUser: askUser() },
  })
  const boss = agent({
    name: 'boss',
    model: scriptedModel({ calls: [{ name, input: { task: 'Ask' } }] }),
    tools: { [name]: agentTool(clerk, { description: 'Asks.' }) },
  })
  const run = boss.start('Go')
  await run.settled

  render(<SignalOutlet run={run} />)

  expect(screen.getByRole('dialog').textContent).toContain(says)
})

it('opens the question that waits by its keys, from anywhere', async () => {
  const { user } = await renderAsk(name)
  await user.click(screen.getByRole('button', { name: 'Answer later' }))

  await user.keyboard('{Control>}.{/Control}')

  expect(screen.getByRole('dialog')).toBeTruthy()
})

it('says that a question was answered elsewhere, and nothing when it was answered here', async () => {
  const { run, user } = await renderAsk(name, color)
  await user.keyboard('Ada{Enter}')
  await screen.findByRole('dialog', { name: 'Which color?' })
  const news = (): string =>
    screen
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
      .join('|')
  const own = news()

  await act(() => run.reply('1/tool/1/ask/0', 'Red'))

  expect([own, news()]).toEqual(['|', 'The question was answered elsewhere.'])
})

it('takes the second click of two for no answer to the next question', async () => {
  const { run } = await renderAsk(confirm({ prompt: 'Go?' }), confirm({ prompt: 'Pay?' }))

  fireEvent.click(screen.getByRole('button', { name: 'Yes' }), { detail: 1 })
  await screen.findByRole('dialog', { name: 'Pay?' })
  fireEvent.click(screen.getByRole('button', { name: 'Yes' }), { detail: 2 })
  await act(() => new Promise((resolve) => setTimeout(resolve)))

  expect(run.state.asks.length).toBe(1)
})

it.each([false, true])(
  'opens one dialog for a question, however many outlets its run has (strict mode: %s)',
  async (isStrict) => {
    const run = askingAgent(name).start('Go')
    await run.settled
    const opened: string[] = []
    const Outlets = ({ of }: { of: readonly string[] }) =>
      of.map((key) => <SignalOutlet key={key} run={run} onOpenChange={(isOpen) => opened.push(`${key} ${isOpen}`)} />)
    const { rerender } = render(<Outlets of={['a', 'b']} />, { reactStrictMode: isStrict })

    expect(await screen.findAllByRole('dialog')).toHaveLength(1)
    expect(screen.getAllByRole('button', { name: '1 question waiting', hidden: true })).toHaveLength(1)
    expect(opened).not.toContain('b true')

    rerender(<Outlets of={['b']} />)
    expect(await screen.findAllByRole('dialog')).toHaveLength(1)
    expect(opened).toContain('b true')
  },
)
