import { collect } from '@interleave/test-kit/collect'
import { laws } from '@interleave/test-kit/laws'
import { expectTrace, manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { agent, reasonAct } from '../../index.ts'
import { memoryJournal } from '../../journal/index.ts'
import { eventsOf } from '../../log/runEvents.ts'
import { guardInput } from '../guard.ts'
import { block } from '../verdict.ts'
import { type Memory, type MemoryItem, type RememberOptions, remember } from './remember.ts'
import { searchMemory } from './searchMemory.ts'

function clerk(turns: readonly ScriptedTurn[], options: Partial<RememberOptions> = {}) {
  const model = scriptedModel(...turns)
  const memory = options.memory ?? searchMemory()
  const backend = remember(reasonAct(), { memory, namespace: 'ada', ...options })
  return { model, memory, made: agent({ name: 'clerk', model, backend }) }
}
const textOf = (call: { prompt: unknown } | undefined) => JSON.stringify(call?.prompt)
const item = (text: string): MemoryItem => ({ id: text, text, namespace: 'ada', at: 0 })

it('reminds a later run of what was said in an earlier one', async () => {
  const memory = searchMemory()
  await clerk(['Noted.'], { memory }).made.start('My parrot is called Coco').settled
  const { made, model } = clerk(['Coco.'], { memory })
  await made.start('What is my parrot called?', { observers: [laws()] }).settled

  expect(model.calls[0]?.prompt).toMatchObject([
    { role: 'user', content: [{ text: 'What is my parrot called?' }] },
    { role: 'user', content: [{ text: expect.stringMatching(/^From earlier.*My parrot is called Coco/s) }] },
  ])
})

it('has one order of events', async () => {
  const { made } = clerk(['Coco.'], { memory: searchMemory({ items: [item('The parrot is Coco.')] }) })
  const run = made.start('Which parrot?', { host: manualHost() })
  await run.settled
  const events = await collect(eventsOf(run))

  expectTrace(
    events,
    `
    0 started clerk
    0 said user "Which parrot?"
    0 noted memory/recall/1 ["The parrot is Coco."]
    0 said agent "From earlier conversations, and of use only where it bears on this one:\\n\\n- The parrot is Coco."
    1 thought "Coco."
    1 noted memory/store/1 ["run-1/1/0"]
    1 settled answer "Coco."
    `,
  )
})

it('reminds of each request once, and of nothing twice', async () => {
  const memory = searchMemory({ items: [item('red parrot'), item('blue bird')] })
  const { made, model } = clerk(['One.', 'Two.', 'Three.'], { memory })
  const run = made.start('parrot', { observers: [laws()] })
  await run.settled
  await run.say('parrot or bird')
  await run.settled
  await run.say('parrot or bird')
  await run.settled

  const text = textOf(model.calls[2])
  expect(text.match(/From earlier/g)).toHaveLength(2)
  expect(text.match(/red parrot/g)).toHaveLength(1)
  expect(text.match(/blue bird/g)).toHaveLength(1)
})

it('gives the same prompt after a reload, without a second search', async () => {
  const searches: string[] = []
  const search: Memory['search'] = (query) => {
    searches.push(query)
    return [item(`found ${searches.length}`)]
  }
  const memory: Memory = { search, add: () => {} }
  const journal = memoryJournal()
  const before = clerk([new Error('down')], { memory })
  const first = before.made.start('parrot', { journal })
  await first.settled
  const after = clerk(['Coco.'], { memory })
  const again = await after.made.resume(first.id, { journal, observers: [laws(first.state)] })
  again.resume()
  await again.settled

  expect(searches).toEqual(['parrot'])
  expect(after.model.calls[0]?.prompt).toEqual(before.model.calls[0]?.prompt)
})

it('keeps an answer once, also when the page closes before the run settles', async () => {
  const added: string[] = []
  const memory: Memory = { search: () => [], add: (items) => added.push(...items.map(({ id }) => id)) }
  const journal = memoryJournal()
  const first = clerk(['Coco.'], { memory }).made.start('parrot', { journal, id: 'r' })
  await first.settled
  const cut = memoryJournal()
  const events = await journal.read('r')
  const settled = events.findIndex(({ type }) => type === 'settled')
  await cut.append('r', events.slice(0, settled))
  const earlier = memoryJournal()
  await earlier.append('r', events.slice(0, settled - 1))

  await (await clerk([], { memory }).made.resume('r', { journal: cut })).settled
  expect(added).toEqual(['r/1/0'])
  await (await clerk([], { memory }).made.resume('r', { journal: earlier })).settled
  expect(added).toEqual(['r/1/0', 'r/1/0'])
})

it('keeps what a function extracts, of the whole request', async () => {
  const extract: RememberOptions['extract'] = ({ request, answer }) => [`${request} -> ${answer}`, 'second']
  const { made, memory } = clerk(['First.', 'Coco.'], { extract })
  const run = made.start('Hello')
  await run.settled
  await run.say([{ type: 'text', text: 'Which parrot?' }])
  await run.settled

  const texts = (memory as ReturnType<typeof searchMemory>).items.map(({ text }) => text)
  expect(texts).toEqual(['Hello -> First.', 'second', 'Which parrot? -> Coco.', 'second'])
})

it('keeps nothing of a run that has no answer', async () => {
  const { made, memory } = clerk([new Error('down')])
  await made.start('parrot').settled

  expect((memory as ReturnType<typeof searchMemory>).items).toEqual([])
})

it('continues without a memory that fails, and reports it', async () => {
  const errors: unknown[] = []
  const fail = () => {
    throw new Error('No memory.')
  }
  const { made } = clerk(['Coco.'], { memory: { search: fail, add: fail }, onError: (error) => errors.push(error) })
  const run = made.start('parrot')

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(errors).toEqual([new Error('No memory.'), new Error('No memory.')])
})

it.each([null, { items: [] }, [null], [{ id: 'a' }], [{ id: 7, text: 'a' }]])(
  'continues without a memory that finds %j, and reports it',
  async (found) => {
    const errors: unknown[] = []
    const memory = { search: () => found as MemoryItem[], add() {} }
    const { made } = clerk(['Hello.'], { memory, onError: (error) => errors.push(error) })

    expect(await made.start('Hi').settled).toMatchObject({ type: 'answer' })
    expect(String(errors[0])).toContain('Return [{ id, text, … }]')
  },
)

it.each([undefined, null, 'text', [7], [undefined]])(
  'continues without the texts of an `extract` that returns %j, and reports it',
  async (texts) => {
    const errors: unknown[] = []
    const { made, memory } = clerk(['Hello.'], {
      extract: () => texts as never,
      onError: (error) => errors.push(error),
    })

    expect(await made.start('Hi').settled).toMatchObject({ type: 'answer' })
    expect(String(errors[0])).toContain('`extract`')
    expect((memory as ReturnType<typeof searchMemory>).items).toEqual([])
  },
)

it.each([undefined, '', Promise.resolve('ada')])(
  'shares no memory between runs whose namespace is %j',
  async (owner) => {
    const { made } = clerk(['Hello.'], { namespace: () => owner as string })

    expect(await made.start('Hi').settled).toMatchObject({ type: 'failed', error: { code: 'options_invalid' } })
  },
)

it.each([
  () => {
    throw new Error('No reporter.')
  },
  () => Promise.reject(new Error('No reporter.')),
])('continues without a memory whose onError fails, and reports that: %o', async (onError) => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const { made } = clerk(['Coco.'], { memory: { search: () => [], add: () => onError() }, onError })

  expect(await made.start('parrot').settled).toMatchObject({ type: 'answer' })
  await new Promise((resolve) => setTimeout(resolve))
  vi.unstubAllGlobals()

  expect(reported.mock.calls).toEqual([[new Error('No reporter.')]])
})

it('continues without a memory that takes too long', async () => {
  const host = manualHost()
  const errors: unknown[] = []
  const never = () => new Promise<never>(() => {})
  const { made } = clerk(['Coco.'], { memory: { search: never, add: never }, onError: (error) => errors.push(error) })
  const run = made.start('parrot', { host })
  await host.advance(5_000)
  await host.advance(5_000)

  expect(run.state.signal).toMatchObject({ type: 'answer' })
  expect(errors).toMatchObject([{ message: 'The memory took longer than 5000 ms.' }, {}])
  expect(host.timers).toBe(0)
})

it('stops while the memory works, and asks it when it continues', async () => {
  const asked: AbortSignal[] = []
  const search: Memory['search'] = (_, { abortSignal }) => {
    asked.push(abortSignal)
    return asked.length === 1 ? new Promise(() => {}) : [item('red parrot')]
  }
  const { made, model } = clerk(['Coco.'], { memory: { search, add: () => {} } })
  const run = made.start('parrot')
  while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve))
  await run.stop()
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(asked[0]?.aborted).toBe(true)
  expect(textOf(model.calls[0])).toContain('red parrot')
})

it('asks for the namespace of each run', async () => {
  const memory = searchMemory({ items: [item('red parrot')] })
  const { made, model } = clerk(['I do not know.', 'Red.'], {
    memory,
    namespace: ({ runId }) => runId.split('/')[0] ?? '',
  })
  await made.start('parrot', { id: 'bob/1' }).settled
  await made.start('parrot', { id: 'ada/1' }).settled

  expect(textOf(model.calls[0])).not.toContain('red parrot')
  expect(textOf(model.calls[1])).toContain('red parrot')
})

it('serves many runs at once, each with its own', async () => {
  const memory = searchMemory({ items: [item('red parrot'), { ...item('blue bird'), namespace: 'bob' }] })
  const lines = Array.from(
    { length: 4 },
    (): ScriptedTurn =>
      ({ prompt }) =>
        JSON.stringify(prompt),
  )
  const { made } = clerk(lines, { memory, namespace: ({ runId }) => runId.split('/')[0] ?? '' })
  const ids = ['ada/1', 'bob/1', 'ada/2', 'bob/2']
  const answers = await Promise.all(ids.map((id) => made.start('parrot or bird', { id }).settled))

  const words = answers.map((answer) => /red parrot|blue bird/.exec(JSON.stringify(answer))?.[0])
  expect(words).toEqual(['red parrot', 'blue bird', 'red parrot', 'blue bird'])
})

it('keeps the tools of the backend that it goes around, and says what it needs', () => {
  const backend = reasonAct()

  expect(remember(backend, { memory: searchMemory(), namespace: 'ada' }).tools).toBe(backend.tools)
  expect(() => remember(backend, { memory: searchMemory(), namespace: '' })).toThrow(/namespace/)
})

it('keeps nothing of a request that a guard answered', async () => {
  const memory = searchMemory()
  const guard = guardInput(() => block('Secrets.'), { answer: () => 'I cannot.' })
  const backend = remember(reasonAct({ before: [guard] }), { memory, namespace: 'ada' })
  const run = agent({ name: 'clerk', model: scriptedModel(), backend }).start('My key is 123')

  expect(await run.settled).toMatchObject({ output: 'I cannot.' })
  expect(memory.items).toEqual([])
})

it('refuses to go around another one, which would remember nothing', async () => {
  const inner = remember(reasonAct(), { memory: searchMemory(), namespace: 'ada' })
  const backend = remember(inner, { memory: searchMemory(), namespace: 'team' })
  const { settled } = agent({ name: 'clerk', model: scriptedModel('Hi.'), backend }).start('Hello')

  expect(await settled).toMatchObject({ type: 'failed', error: { code: 'options_invalid' } })
})
