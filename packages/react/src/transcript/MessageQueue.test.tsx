import { remoteAgent } from '@interleave/connect/http'
import { agent } from '@interleave/core'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { manualModel } from '@interleave/test-kit/manualModel'
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { afterEach, expect, it } from 'vitest'
import { faults } from '../testing/renderAsk.tsx'
import { MessageQueue } from './MessageQueue.tsx'
import { Transcript } from './Transcript.tsx'

afterEach(cleanup)

async function busy() {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go')
  await model.called(1)
  model.say('One')
  render(<MessageQueue run={run} />)
  await act(async () => {
    await run.say('Second')
    await run.say('Third')
  })
  await screen.findByText('Third')
  return { model, run, user: userEvent.setup() }
}
const waitingOf = () => screen.queryAllByRole('listitem').map((item) => item.querySelector('p')?.textContent)

it('lets a user edit and withdraw messages that wait, with the keyboard alone', async () => {
  const { run, user } = await busy()
  expect(await faults()).toEqual([])

  await user.tab()
  await user.keyboard('{Enter}')
  await user.keyboard('{Control>}a{/Control}Better{Enter}')
  await waitFor(() => expect(waitingOf()).toEqual(['Third', 'Better']))
  await user.click(screen.getAllByRole('button', { name: 'Withdraw' })[0] as HTMLElement)
  await waitFor(() => expect(waitingOf()).toEqual(['Better']))

  expect(run.state.pending.map(({ content }) => content)).toEqual(['Go', 'Better'])
  await act(() => run.stop())
})

it('keeps a message whose edit is cancelled, and sends one now', async () => {
  const { model, run, user } = await busy()

  await user.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement)
  await user.keyboard('!{Escape}')
  expect(waitingOf()).toEqual(['Second', 'Third'])
  await user.click(screen.getAllByRole('button', { name: 'Send now' })[0] as HTMLElement)

  await act(() => model.called(2))
  await waitFor(() => expect(waitingOf()).toEqual([]))
  expect(JSON.stringify(model.calls[1]?.prompt)).toMatch(/Go.*Third.*Second/)
  await act(() => run.stop())
})

it('keeps the text of an edit if the model takes the message meanwhile', async () => {
  const { model, run, user } = await busy()
  await user.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement)
  await user.keyboard('{Control>}a{/Control}Instead')

  model.end()
  await act(() => model.called(2))
  await screen.findByText('The model has the message already.')
  await user.click(screen.getByRole('button', { name: 'Send again' }))

  await waitFor(() => expect(waitingOf()).toEqual(['Instead']))
  await act(() => run.stop())
})

it('keeps the focus at the next message, then at the text field, and says what happened', async () => {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go')
  await model.called(1)
  const Page = () => {
    const field = useRef<HTMLTextAreaElement>(null)
    return (
      <>
        <MessageQueue run={run} focusAfter={field} />
        <textarea ref={field} aria-label="Message" />
      </>
    )
  }
  render(<Page />)
  await act(async () => {
    await run.say('Second')
    await run.say('Third')
  })
  await screen.findByText('2 messages wait in the queue.')
  const user = userEvent.setup()
  const focused = () =>
    `${document.activeElement?.closest('li')?.querySelector('p')?.textContent} ${document.activeElement?.textContent}`

  screen.getAllByRole('button', { name: 'Edit' })[0]?.focus()
  await user.keyboard('{Enter}{Escape}')
  await waitFor(() => expect(focused()).toBe('Second Edit'))
  await user.keyboard('{Enter}{Control>}a{/Control}Better{Enter}')
  await screen.findByText('Message changed. It is the last one now.')
  await waitFor(() => expect(waitingOf()).toEqual(['Third', 'Better']))
  expect(document.activeElement?.tagName).toBe('BUTTON')
  screen.getAllByRole('button', { name: 'Withdraw' })[0]?.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Message withdrawn.')
  await waitFor(() => expect(focused()).toBe('Better Edit'))
  screen.getByRole('button', { name: 'Send now' }).focus()
  await user.keyboard('{Enter}')

  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Message')))
  await screen.findByText('The agent gets the message next.')
  expect(await faults()).toEqual([])
  await act(() => run.stop())
})

it('leaves the focus where the user has gone meanwhile', async () => {
  const { run, user } = await busy()
  screen.getAllByRole('button', { name: 'Withdraw' })[0]?.focus()
  await user.click(document.body)

  await act(async () => {
    await run.say('', { replaces: 2 })
  })
  await waitFor(() => expect(waitingOf()).toEqual(['Third']))

  expect(document.activeElement).toBe(document.body)
  await act(() => run.stop())
})

it('shows a message once: in the queue until the model gets it, then in the transcript', async () => {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go')
  await model.called(1)
  model.say('One')
  render(
    <>
      <Transcript run={run} omitQueue />
      <MessageQueue run={run} />
    </>,
  )
  await act(() => run.say('Second'))
  await screen.findByRole('region', { name: 'Queue' })
  expect(screen.getAllByText('Second')).toHaveLength(1)

  model.end()
  await act(() => model.called(2))

  await waitFor(() => expect(screen.queryByRole('region', { name: 'Queue' })).toBeNull())
  expect(screen.getAllByText('Second')).toHaveLength(1)
  await act(() => run.stop())
})

it('keeps a message while the host does not answer, and sends it again or withdraws it', async () => {
  const posted: string[] = []
  const fetch = (_: string, init: RequestInit) => {
    posted.push(String(init.body))
    return Promise.reject(new TypeError('Failed to fetch'))
  }
  const run = remoteAgent({ url: 'https://nowhere.test/api', name: 'guide', fetch }).start('Hello')
  const saying = run.say('More').catch(({ code }) => code)
  render(
    <>
      <Transcript run={run} omitQueue />
      <MessageQueue run={run} />
    </>,
  )
  const queue = within(screen.getByRole('region', { name: 'Queue' }))
  expect(queue.getByText('More')).toBeDefined()
  await queue.findByText(/No answer yet/)
  expect(await faults()).toEqual([])

  await userEvent.click(queue.getByRole('button', { name: 'Send again' }))
  expect(queue.getAllByText('More')).toHaveLength(1)
  await userEvent.click(queue.getByRole('button', { name: 'Withdraw' }))

  expect(await saying).toBe('stopped')
  await waitFor(() => expect(screen.queryByText('More')).toBeNull())
  expect(screen.getByText('Hello')).toBeDefined()
  await act(async () => run.close())
})

/** A run of a server at work, whose messages arrive there when they are let through. */
async function onSlowServer() {
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })])
  let letThrough = (): void => {}
  const open = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  const run = remoteAgent({
    url: 'https://edge.test/api',
    name: 'a',
    headers: { authorization: 'ada' },
    async fetch(url, init) {
      if (url.includes('/say')) await open
      return handler(new Request(url, init))
    },
  }).start('Go')
  await model.called(1)
  model.say('One')
  await waitFor(() => expect(run.state.draft?.text).toBe('One'))
  render(<MessageQueue run={run} />)
  const saying = run.say('Second')
  await screen.findByText('Sending …')
  const arrive = async (): Promise<void> => {
    letThrough()
    await act(() => saying)
    await waitFor(() => expect(run.state.pending.map(({ content }) => content)).toContain('Second'))
  }
  return { run, arrive, user: userEvent.setup() }
}

it('changes a message that arrives at the host while it is edited', async () => {
  const { run, arrive, user } = await onSlowServer()
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  await user.keyboard('{Control>}a{/Control}Bet')
  const field = screen.getByLabelText('New text')

  await arrive()
  expect(screen.getByLabelText('New text')).toBe(field)
  expect(document.activeElement).toBe(field)
  await user.keyboard('ter{Enter}')

  await waitFor(() => expect(waitingOf()).toEqual(['Better']))
  await waitFor(() => expect(run.state.pending.map(({ content }) => content)).toEqual(['Go', 'Better']))
  run.close()
})

it('leaves the buttons of a message as they are when it arrives at the host', async () => {
  const { run, arrive } = await onSlowServer()
  const edit = screen.getByRole('button', { name: 'Edit' })
  edit.focus()

  await arrive()
  await screen.findByRole('button', { name: 'Send now' })

  expect(screen.getByRole('button', { name: 'Edit' })).toBe(edit)
  expect(document.activeElement).toBe(edit)
  run.close()
})
