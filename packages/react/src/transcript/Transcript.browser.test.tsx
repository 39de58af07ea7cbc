import { agent, approval, choice, file, type Run, tool } from '@interleave/core'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render } from '@testing-library/react'
import axe from 'axe-core'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import { FilePicker } from '../files/FilePicker.tsx'
import { useFiles } from '../files/useFiles.ts'
import { MessageQueue } from './MessageQueue.tsx'
import { Transcript } from './Transcript.tsx'
import '../styles.css'

afterEach(() => {
  cleanup()
  document.documentElement.style.colorScheme = ''
})

const book = tool({
  inputSchema: z.object({ people: z.number(), notes: z.string() }),
  execute: async ({ people }, { ask }) => ({
    people,
    at: await ask(choice({ prompt: 'When?', options: ['18:00', '20:30'] })),
  }),
})
const cancel = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Cancelled.' })

/** Draws a red square as a PNG. */
async function picture(): Promise<Uint8Array> {
  const canvas = new OffscreenCanvas(80, 60)
  const context = canvas.getContext('2d')
  if (context) context.fillStyle = 'crimson'
  context?.fillRect(0, 0, 80, 60)
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
}

/** A run with every kind of message. */
async function dinner(): Promise<Run> {
  const notes = 'A-very-long-word-without-spaces'.repeat(12)
  const model = scriptedModel(
    { reasoning: 'They want a table.', text: 'Let me see.', calls: [{ name: 'book', input: { people: 4, notes } }] },
    { calls: [{ name: 'cancel', input: {} }] },
    'Booked for four at 20:30.',
    new Error('The service is down.'),
  )
  const run = agent({ name: 'waiter', model, tools: { book, cancel } }).start([
    { type: 'text', text: 'A table for four, please. Here is the square.' },
    file(await picture(), 'image/png', { filename: 'square.png' }),
    file(new Uint8Array([1]), 'application/pdf', { filename: 'menu.pdf' }),
  ])
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', '20:30')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: false, reason: 'We still want to come.' })
  await run.settled
  await run.say('And the bill?')
  await run.settled
  return run
}

/** A run that works, with two messages that wait. */
async function busy(): Promise<Run> {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go')
  await model.called(1)
  model.say('One')
  await run.say('And a high chair')
  await run.say(`And ${'no-nuts-'.repeat(20)}`)
  return run
}

function Chat({ run, queued }: { readonly run: Run; readonly queued: Run }) {
  const files = useFiles({ accept: 'image/*' })
  return (
    <main style={{ background: 'Canvas', color: 'CanvasText', padding: '1rem', fontFamily: 'system-ui' }}>
      <Transcript run={run} />
      <MessageQueue run={queued} />
      <form aria-label="Composer" {...files.dropProps}>
        <FilePicker files={files} />
      </form>
    </main>
  )
}

it.each([
  ['light', 360],
  ['dark', 360],
  ['light', 1_440],
  ['dark', 1_440],
])('is readable in %s at %i pixels, with the keyboard alone, and nothing overflows', async (scheme, width) => {
  await page.viewport(width, 900)
  document.documentElement.style.colorScheme = scheme
  const [run, queued] = [await dinner(), await busy()]
  render(<Chat run={run} queued={queued} />)
  await expect.element(page.getByText('And a high chair')).toBeVisible()

  await userEvent.keyboard('{Tab}{Enter}{Tab}{Enter}')
  const open = [...document.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent)
  const { violations } = await axe.run(document.body, { rules: { 'page-has-heading-one': { enabled: false } } })

  expect(open).toEqual(['Reasoning', expect.stringContaining('book')])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
  await queued.stop()
})
