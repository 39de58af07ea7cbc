import { type Agent, agent, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { createRunStore } from './RunStore.ts'
import { useMessages } from './selections.ts'
import { manualFrames } from './testing/testSupport.tsx'
import { useReAct } from './useReAct.ts'
import { useRunEvent } from './useRun.ts'

afterEach(cleanup)

// The React Compiler has made the components of this file.
const talker = (...turns: string[]): Agent<string> => agent({ name: 'talker', model: scriptedModel(...turns) })
const guide = talker()
const drawn: string[] = []
const draw = (what: string): void => void drawn.push(what)

interface ShownProps {
  readonly run: Run<string>
}
const Whole = ({ run }: ShownProps): ReactNode => {
  const react = useReAct(guide, { run })
  return (
    <section>
      <output>{react.answer ?? react.draft?.text ?? '…'}</output>
      <i title="status">{react.status}</i>
    </section>
  )
}
const Tokens = ({ run }: ShownProps): ReactNode => {
  draw('tokens')
  const { usage } = useReAct(guide, { run })
  return <output>{usage.total.outputTokens}</output>
}
const Late = ({ run }: ShownProps): ReactNode => {
  const [isOpen, setOpen] = useState(false)
  const react = useReAct(guide, { run })
  return (
    <button type="button" onClick={() => setOpen(true)}>
      {isOpen ? react.answer : 'closed'}
    </button>
  )
}
const Chat = ({ run }: ShownProps): ReactNode => {
  const [count, setCount] = useState(0)
  useRunEvent(run, 'delta', () => setCount(count + 1))
  const messages = useMessages(run)
  return (
    <output>
      {messages.map((message) => (
        <b key={message.key}>{'text' in message && message.text} </b>
      ))}
      {count > 0 && 'heard'}
    </output>
  )
}

it('was compiled', () => {
  expect(String(Whole)).toMatch(/\$\[0\]|useMemoCache|_c\(/)
})

it('shows each field as it changes', async () => {
  const { frame, next } = manualFrames()
  const run = talker('One two three.').start('Go')
  createRunStore(run, { frame })
  const seen = new Set<string | null>()
  run.subscribe(() => {
    act(next)
    seen.add(screen.getByRole('status').textContent)
  })

  render(<Whole run={run} />)
  await act(() => run.settled)

  expect([...seen]).toEqual(expect.arrayContaining(['One two', 'One two three.']))
  expect(screen.getByRole('status').textContent).toBe('One two three.')
  expect(screen.getByTitle('status').textContent).toBe('settled')
})

it('renders only for the fields that are read', async () => {
  const { frame, next } = manualFrames()
  const run = talker('one two three four five').start('Go')
  createRunStore(run, { frame })
  run.subscribe((event) => event.type === 'delta' && act(next))

  render(<Tokens run={run} />)
  await act(() => run.settled)

  expect(screen.getByRole('status').textContent).toBe('5')
  expect(drawn).toEqual(['tokens', 'tokens'])
})

it('shows a field that is read for the first time as it is now, and then as it changes', async () => {
  const run = talker('One.', 'Two.').start('Go')
  render(<Late run={run} />)
  await act(() => run.settled)

  act(() => screen.getByRole('button').click())
  const first = screen.getByRole('button').textContent
  await act(async () => {
    await run.say('More')
    await run.settled
  })

  expect([first, screen.getByRole('button').textContent]).toEqual(['One.', 'Two.'])
})

it('shows messages, and calls the latest function with each event', async () => {
  const run = talker('One two three.').start('Go')
  render(<Chat run={run} />)

  await act(() => run.settled)

  expect(screen.getByRole('status').textContent).toBe('Go One two three. heard')
})
