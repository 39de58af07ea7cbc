import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, type FileData, file, tool, type UserContent } from '../../index.ts'
import { memoryJournal } from '../../journal/index.ts'

const bytes = new Uint8Array([1, 2, 3])
const base64 = 'AQID'
const image = { type: 'file', mediaType: 'image/png' } as const
const inline = { ...image, data: { type: 'data', data: base64 } }
const linked = { ...image, data: { type: 'url', url: new URL('https://a.example/a.png') } }

const partsGiven = async (content: UserContent) => {
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

it.each<[string, FileData, object]>([
  ['the data of the model interface', { type: 'data', data: base64 }, inline],
  ['tagged bytes', { type: 'data', data: bytes }, inline],
  ['a tagged ArrayBuffer', { type: 'data', data: bytes.buffer } as never, inline],
  ['bytes', bytes, inline],
  ['bytes that are part of a buffer', new Uint8Array([0, 1, 2, 3, 4]).subarray(1, 4), inline],
  ['a Buffer of Node', Buffer.from(bytes), inline],
  ['an ArrayBuffer', bytes.buffer, inline],
  ['base64', base64, inline],
  ['a data: URL', `data:image/png;base64,${base64}`, inline],
  ['a tagged data: URL', { type: 'url', url: new URL(`data:image/png;base64,${base64}`) }, inline],
  ['a URL object', new URL('https://a.example/a.png'), linked],
  ['a URL object that is a data: URL', new URL(`data:image/png;base64,${base64}`), inline],
  ['a URL', 'https://a.example/a.png', linked],
  ['a tagged URL', { type: 'url', url: new URL('https://a.example/a.png') }, linked],
  [
    'ids of an upload',
    { openai: 'file-1' },
    { ...image, data: { type: 'reference', reference: { openai: 'file-1' } } },
  ],
  ['a text', { type: 'text', text: 'Hi' }, { ...image, data: { type: 'text', text: 'Hi' } }],
])('gives the model a file that is made of %s', async (_, data, expected) => {
  const given = await partsGiven([{ type: 'text', text: 'What is this?' }, file(data, 'image/png')])

  expect(given).toEqual([{ type: 'text', text: 'What is this?' }, expected])
})

it('takes the media type from a data: URL', () => {
  expect(file(`data:image/png;base64,${base64}`)).toEqual(inline)
  expect(file('data:text/plain,Hi%20there')).toEqual({
    type: 'file',
    mediaType: 'text/plain',
    data: { type: 'text', text: 'Hi there' },
  })
})

it('keeps the name of a file and what belongs to the provider', async () => {
  const others = { filename: 'a.png', providerOptions: { openai: { detail: 'low' } } }

  expect(await partsGiven([file(bytes, 'image/png', others)])).toEqual([{ ...inline, ...others }])
})

it.each<[string, unknown, string?]>([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['an empty string', ''],
  ['a file name', './cat.png'],
  ['a Blob', new Blob([bytes])],
  ['an address that only the page can load', 'blob:https://a.example/1'],
  ['a data: URL without data', 'data:image/png;base64'],
  ['a data: URL that is not base64', 'data:image/png;base64,***'],
  ['a data: URL with a wrong escape', 'data:text/plain,%'],
  ['an unknown tag', { type: 'bytes', data: [1] }],
  ['tagged data without data', { type: 'data' }],
  ['a wrong address', { type: 'url', url: 'a.png' }],
  ['a promise', Promise.resolve(bytes)],
  ['bytes without a media type', bytes, ''],
])('makes no file of %s, and says what to give', (_, data, mediaType = 'image/png') => {
  expect(() => file(data as never, mediaType)).toThrow(
    expect.objectContaining({ code: 'options_invalid', message: expect.stringMatching(/Give bytes.*file\(await/) }),
  )
})

const plain: readonly [string, object][] = [
  ['no data', image],
  ['bytes', { ...image, data: bytes }],
  ['a Blob', { ...image, data: new Blob([bytes]) }],
  ['base64', { ...image, data: base64 }],
  ['an address', { ...image, data: 'https://a.example/a.png' }],
  ['a URL object', { ...image, data: new URL('https://a.example/a.png') }],
  ['an unknown tag', { ...image, data: { type: 'bytes', data: [1] } }],
  ['tagged data that is not base64', { ...image, data: { type: 'data', data: './cat.png' } }],
  ['a tagged ArrayBuffer', { ...image, data: { type: 'data', data: bytes.buffer } }],
  ['a wrong address', { ...image, data: { type: 'url', url: 'a.png' } }],
  ['an address of this page', { ...image, data: { type: 'url', url: 'blob:https://a.example/1' } }],
  ['a tagged data: URL', { ...image, data: { type: 'url', url: `data:image/png;base64,${base64}` } }],
  ['no media type', { type: 'file', data: { type: 'data', data: base64 } }],
  ['an image of earlier versions', { type: 'image', image: bytes }],
]
it.each(plain)('refuses a plain file with %s, and names file()', async (_, part) => {
  const described = agent({ name: 'a', model: scriptedModel('Hi.') })
  const run = described.start('Hello')
  await run.settled
  const advice = /has a file that no provider could read\. Make it with file\(\)/

  expect(() => described.start([part] as never)).toThrow(advice)
  await expect(run.say([part] as never)).rejects.toThrow(advice)
  expect(() => described.start('Hi', { history: [{ role: 'user', content: [part] }] as never })).toThrow(advice)
})

it.each([inline, linked, { ...image, data: { type: 'reference', reference: { openai: 'file-1' } } }])(
  'takes a file as the log has it: %j',
  async (part) => {
    expect(await partsGiven([part] as never)).toEqual([part])
    expect(await partsGiven(JSON.parse(JSON.stringify([part])))).toEqual([part])
  },
)

it('takes files in a history too', async () => {
  const model = scriptedModel('Hi.')
  const history = [{ role: 'user' as const, content: [file(bytes, 'image/png')] }]
  await agent({ name: 'a', model }).start('Go on', { history }).settled

  expect(model.calls[0]?.prompt[0]).toEqual({ role: 'user', content: [inline] })
})

const toldBy = async (toModelOutput: () => unknown): Promise<unknown> => {
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const look = tool({
    description: 'Looks.',
    inputSchema: z.object({}),
    execute: () => 'seen',
    toModelOutput: toModelOutput as never,
  })
  await agent({ name: 'a', model, tools: { look } }).start('Look').settled
  return model.calls[1]?.prompt.at(-1)?.content
}

it.each<[string, () => unknown, object]>([
  ['file()', () => file(base64, 'image/png'), { type: 'content', value: [inline] }],
  ['tagged bytes', () => ({ ...image, data: { type: 'data', data: bytes } }), { type: 'content', value: [inline] }],
  [
    'plain base64',
    () => ({ ...image, data: base64 }),
    {
      type: 'error-text',
      value: expect.stringMatching(
        /toModelOutput of "look" gave a file that no provider could read\. Make it with file/,
      ),
    },
  ],
])('gives the model of a tool that returns %s what it can read', async (_, part, output) => {
  const told = await toldBy(() => ({ type: 'content', value: [part()] }))

  expect(told).toMatchObject([{ output }])
})

it('reads megabytes in no time to speak of', () => {
  const data = 'A'.repeat(20_000_000)

  expect(() => file(`${data}*`, 'image/png')).toThrow(/cannot read this/)
})
