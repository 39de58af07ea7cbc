import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'

/** Gives the model this, and loads the run again. Tells what the model was given. */
async function given(output: unknown): Promise<unknown> {
  const draw = tool({ inputSchema: z.object({}), execute: () => 'drawn', toModelOutput: () => output as never })
  const model = scriptedModel({ calls: [{ name: 'draw', input: {} }] }, 'Done.')
  const described = agent({ name: 'a', model, tools: { draw } })
  const journal = memoryJournal()
  const run = described.start('Go', { id: 'r', journal })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
  const results = model.calls[1]?.prompt.at(-1)?.content as readonly { readonly output: unknown }[] | undefined
  return results?.[0]?.output
}
const content = (...value: unknown[]) => ({ type: 'content', value })
const file = (mediaType: string, data: object) => ({ type: 'file', mediaType, data })

it.each([
  ['text', { type: 'text', value: 'x' }],
  ['json', { type: 'json', value: { x: [null] } }],
  ['content', content({ type: 'text', text: 'x' }, file('image/png', { type: 'data', data: 'AAAA' }))],
])('gives the model %s as it is', async (_, output) => {
  expect(await given(output)).toEqual(output)
})

it.each([
  [{ type: 'image-data', data: 'AAAA', mediaType: 'image/png' }, file('image/png', { type: 'data', data: 'AAAA' })],
  [{ type: 'file-data', data: 'AAAA', mediaType: 'text/plain' }, file('text/plain', { type: 'data', data: 'AAAA' })],
  [{ type: 'image-file-id', fileId: { p: '1' } }, file('image', { type: 'reference', reference: { p: '1' } })],
  [
    { type: 'file-reference', providerReference: { p: '1' } },
    file('application', { type: 'reference', reference: { p: '1' } }),
  ],
])('takes the older name of a file for the file: %j', async (older, newer) => {
  expect(await given(content(older))).toEqual(content(newer))
})

it.each([
  ['nothing', undefined],
  ['a text', 'x'],
  ['an unknown type', { type: 'hologram', value: 1 }],
  ['an unknown part', content({ type: 'hologram' })],
  ['no value', { type: 'text' }],
])('tells the model that the tool failed which gives it %s, and keeps the run', async (_, output) => {
  expect(await given(output)).toMatchObject({
    type: 'error-text',
    value: expect.stringContaining('toModelOutput of "draw"'),
  })
})
