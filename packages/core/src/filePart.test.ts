import { scriptedModel } from '@interleave/testing'
import type { FilePart, ImagePart, UserContent as SdkContent } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from './agent.ts'
import { memoryJournal } from './journal/index.ts'
import type { GivenContent } from './part.ts'
import { tool } from './tool.ts'

const bytes = new Uint8Array([1, 2, 3])
const base64 = 'AQID'
const image = { type: 'file', mediaType: 'image/png' } as const
const inline = { ...image, data: { type: 'data', data: base64 } }
const linked = { ...image, data: { type: 'url', url: new URL('https://a.example/a.png') } }

const partsGiven = async (content: GivenContent) => {
  const model = scriptedModel('One.', 'Two.')
  const journal = memoryJournal()
  const described = agent({ name: 'a', model })
  await described.start(content, { id: 'r', journal }).settled
  const again = await described.resume('r', { journal })
  await again.say('And now?')
  await again.settled
  const [first, second] = model.calls.map(({ prompt }) => prompt.find(({ role }) => role === 'user')?.content)
  expect(second, 'after a reload').toEqual(first)
  return first
}

it.each<[string, object, object]>([
  ['as the model interface has it', { ...image, data: { type: 'data', data: base64 } }, inline],
  ['tagged bytes', { ...image, data: { type: 'data', data: bytes } }, inline],
  ['a tagged ArrayBuffer', { ...image, data: { type: 'data', data: bytes.buffer } }, inline],
  ['bytes', { ...image, data: bytes }, inline],
  ['bytes that are part of a buffer', { ...image, data: new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4) }, inline],
  ['a Buffer of Node', { ...image, data: Buffer.from(bytes) }, inline],
  ['an ArrayBuffer', { ...image, data: bytes.buffer }, inline],
  ['base64', { ...image, data: base64 }, inline],
  ['a data: URL', { ...image, data: `data:image/png;base64,${base64}` }, inline],
  ['a tagged data: URL', { ...image, data: { type: 'url', url: `data:image/png;base64,${base64}` } }, inline],
  ['a URL object', { ...image, data: new URL('https://a.example/a.png') }, linked],
  ['a URL object that is a data: URL', { ...image, data: new URL(`data:image/png;base64,${base64}`) }, inline],
  ['a URL', { ...image, data: 'https://a.example/a.png' }, linked],
  ['a tagged URL', { ...image, data: { type: 'url', url: new URL('https://a.example/a.png') } }, linked],
  ['the file of a chat', { ...image, url: `data:image/png;base64,${base64}` }, inline],
  [
    'ids of an upload',
    { ...image, data: { openai: 'file-1' } },
    { ...image, data: { type: 'reference', reference: { openai: 'file-1' } } },
  ],
  [
    'a text',
    { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'Hi' } },
    { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'Hi' } },
  ],
  [
    'a data: URL with text',
    { type: 'file', data: 'data:text/plain,Hi%20there' },
    { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'Hi there' } },
  ],
  ['an image part', { type: 'image', image: bytes, mediaType: 'image/png' }, inline],
  ['an image part with the older name of its type', { type: 'image', image: base64, mimeType: 'image/png' }, inline],
  ['an image part whose address has the type', { type: 'image', image: `data:image/png;base64,${base64}` }, inline],
  ['an image part without a type', { type: 'image', image: bytes }, { ...inline, mediaType: 'image' }],
  [
    'what belongs to the provider',
    { ...image, data: bytes, filename: 'a.png', providerOptions: { openai: { detail: 'low' } } },
    { ...inline, filename: 'a.png', providerOptions: { openai: { detail: 'low' } } },
  ],
])('gives the model a file that is given as %s', async (_, part, expected) => {
  const given = await partsGiven([{ type: 'text', text: 'What is this?' }, part] as never)

  expect(given).toEqual([{ type: 'text', text: 'What is this?' }, expected])
})

it.each<[string, object]>([
  ['no data', image],
  ['null', { ...image, data: null }],
  ['a number', { ...image, data: 5 }],
  ['an empty string', { ...image, data: '' }],
  ['a file name', { ...image, data: './cat.png' }],
  ['a Blob', { ...image, data: new Blob([bytes]) }],
  ['an address that only the page can load', { ...image, data: 'blob:https://a.example/1' }],
  ['a data: URL without data', { ...image, data: 'data:image/png;base64' }],
  ['a data: URL that is not base64', { ...image, data: 'data:image/png;base64,***' }],
  ['a data: URL with a wrong escape', { ...image, data: 'data:text/plain,%' }],
  ['an unknown tag', { ...image, data: { type: 'bytes', data: [1] } }],
  ['tagged data without data', { ...image, data: { type: 'data' } }],
  ['a wrong address', { ...image, data: { type: 'url', url: 'a.png' } }],
  ['a promise', { ...image, data: Promise.resolve(bytes) }],
  ['no media type', { type: 'file', data: bytes }],
])('refuses a file with %s, and shows the shape to give', async (_, part) => {
  const described = agent({ name: 'a', model: scriptedModel('Hi.') })
  const run = described.start('Hello')
  await run.settled
  const shape =
    /file that cannot be read\. Give \{ type: "file", mediaType: "image\/png", data \}.*await file\.arrayBuffer\(\)/

  expect(() => described.start([part] as never)).toThrow(shape)
  await expect(run.say([part] as never)).rejects.toThrow(shape)
  expect(() => described.start('Hi', { history: [{ role: 'user', content: [part] }] as never })).toThrow(shape)
})

it('reads files in a history too', async () => {
  const model = scriptedModel('Hi.')
  const history = [{ role: 'user', content: [{ ...image, data: bytes }] }] as never
  await agent({ name: 'a', model }).start('Go on', { history }).settled

  expect(model.calls[0]?.prompt[0]).toEqual({ role: 'user', content: [inline] })
})

it.each<[string, unknown, object]>([
  ['base64', base64, { type: 'content', value: [inline] }],
  ['bytes', bytes, { type: 'content', value: [inline] }],
  [
    'nothing',
    undefined,
    {
      type: 'error-text',
      value: expect.stringMatching(/toModelOutput of "look" gave a file that cannot be read\. Give/),
    },
  ],
])('reads a file that a tool gives as %s', async (_, data, output) => {
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const look = tool({
    description: 'Looks.',
    inputSchema: z.object({}),
    execute: () => 'seen',
    toModelOutput: () => ({ type: 'content', value: [{ ...image, data }] }) as never,
  })
  await agent({ name: 'a', model, tools: { look } }).start('Look').settled

  expect(model.calls[1]?.prompt.at(-1)?.content).toMatchObject([{ output }])
})

it('reads megabytes in no time to speak of', () => {
  const data = 'A'.repeat(20_000_000)
  const described = agent({ name: 'a', model: scriptedModel() })

  expect(() => described.start([{ ...image, data: `${data}*` }])).toThrow(/cannot be read/)
})

it('has the types of the AI SDK', () => {
  const parts: readonly (FilePart | ImagePart)[] = [
    { ...image, data: bytes },
    { type: 'image', image: base64 },
  ]
  const content: SdkContent = [...parts]

  const given: GivenContent = content

  expect(given).toHaveLength(2)
})
