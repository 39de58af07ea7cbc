import { indexedDbJournal } from '@interleave/core/indexeddb'
import { configure, fireEvent, waitFor, within } from '@testing-library/dom'
import { expect, it } from 'vitest'
import type { Page } from './page.tsx'

configure({ asyncUtilTimeout: 5_000 })
const frame = document.body.appendChild(document.createElement('iframe'))
const script = new URL('./page.tsx', import.meta.url)

const page = () => within(frame.contentDocument?.body ?? document.body)
const goOn = (): void => (frame.contentWindow as unknown as Page).goOn()
const click = (name: string): boolean => fireEvent.click(page().getByRole('button', { name }))
const statusOf = (): string | null => page().getByRole('status').textContent
const toolOf = (name: string): string => page().getByRole('region', { name: `tool-${name}` }).textContent ?? ''
const shown = (): string[] =>
  page()
    .queryAllByRole('article')
    .map(({ innerHTML }) => innerHTML)

/** Opens the page of a chat, or loads it again: all that is not kept is gone then. */
async function open(id: string): Promise<void> {
  frame.id = id
  frame.srcdoc = `<title>A chat</title><script type="module" src="${script.pathname}"></script>`
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  await waitFor(() => page().getByRole('textbox'), { timeout: 10_000 })
}

/** A page that is loaded again knows what is kept, and does again what is not. */
const kept = (id: string, type: string): Promise<void> =>
  waitFor(async () => {
    const events = await indexedDbJournal({ name: 'chats' }).read(id)
    expect(events.map((event) => event.type)).toContain(type)
  })

async function ask(text: string): Promise<void> {
  fireEvent.change(page().getByRole('textbox'), { target: { value: text } })
  click('Send')
  await page().findByText(text)
}

it('streams with the thoughts of the model and what its tools have so far, and goes on after a reload', async () => {
  await open('weather')
  await ask('How is the weather?')
  await page().findByText('It is about Bonn.')
  await page().findByText('output-available (so far)')
  expect(toolOf('weather')).toContain('Looking at Bonn')
  goOn()
  await page().findByText('Sunny …')
  expect(toolOf('weather')).toContain('Sun over Bonn')
  expect(statusOf()).toBe('streaming')
  const [question, answer] = shown()
  await kept('weather', 'observed')

  await open('weather')
  await page().findByText('Sunny …')

  expect(shown()).toEqual([question, answer])
  expect(statusOf()).toBe('streaming')
  goOn()
  await page().findByText('Sunny … all day.')
  await waitFor(() => expect(statusOf()).toBe('ready'))
  expect(page().getAllByRole('article')).toHaveLength(2)
}, 30_000)

it('shows a run that is over the same after a reload', async () => {
  await open('weather')
  const before = shown()

  await open('weather')

  expect(before[1]).toContain('all day.')
  expect(shown()).toEqual(before)
  expect(statusOf()).toBe('ready')
}, 30_000)

it.each([
  ['Allow', 'It is booked.', 'output-available'],
  ['Deny', 'As you like.', 'output-denied'],
])(
  'asks before a call, also after a reload, and takes "%s"',
  async (decision, answer, state) => {
    await open(decision)
    await ask('Book it')
    await page().findByRole('button', { name: decision })
    await kept(decision, 'rested')
    await open(decision)

    click(decision)
    await page().findByText(answer)

    expect(toolOf('book')).toContain(state)
    expect(page().getAllByRole('article')).toHaveLength(2)
    await waitFor(() => expect(statusOf()).toBe('ready'))
    expect(page().queryByRole('alert')).toBeNull()
  },
  30_000,
)

it('stops the run when it is told to, keeps what there is, and goes on with the next message', async () => {
  await open('stopped')
  await ask('Tell me')
  await page().findByText('Sunny …')

  click('Stop')
  await kept('stopped', 'rested')
  await open('stopped')

  await page().findByText('Sunny …')
  expect(statusOf()).toBe('ready')
  await ask('Book it')
  await page().findByRole('button', { name: 'Allow' })
  expect(page().getAllByRole('article')).toHaveLength(4)
}, 30_000)
