import { type Agent, agent, answer, approval, type Run, type ToolSet, tool } from '@interleave/core'
import { askUser } from '@interleave/core/tools'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { stoppedByUser } from '../../run/stoppedByUser.ts'
import { demoPlanner } from './demoPlanner.ts'

const model = demoPlanner({ delayMs: 0, now: () => new Date(2026, 10, 20, 12) })
const planner = (tools: ToolSet): Agent<string> => agent({ name: 'planner', model, tools })

interface Call {
  readonly name: string
  readonly input: unknown
}
const callsOf = ({ state }: Run): Call[] =>
  state.history
    .flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
    .map(({ name, input }) => ({ name, input }))

const answerOf = async (run: Run): Promise<string> => {
  const signal = await run.settled
  return signal.type === 'answer' ? String(signal.output) : JSON.stringify(signal)
}

const weather = tool({
  description: 'Gives the weather forecast for a city.',
  inputSchema: z.object({ city: z.string(), date: z.iso.date().optional() }),
  execute: ({ city }) => ({ city, temperature: 21, unit: 'celsius' }),
})
const calculate = tool({
  description: 'Calculates an arithmetic expression.',
  inputSchema: z.object({ expression: z.string() }),
  execute: ({ expression }) => ({ expression, result: expression === '12 * (3 + 4)' ? 84 : 12 }),
})
const convert = tool({
  description: 'Converts a quantity from one unit to another.',
  inputSchema: z.object({
    value: z.number(),
    from: z.string().describe('Unit to convert from'),
    to: z.string().describe('Unit to convert to'),
  }),
  execute: () => 69.8,
})
const asks = (...answers: unknown[]) => ({
  askUser: tool({
    inputSchema: z.object({ question: z.string(), kind: z.string(), options: z.array(z.string()).optional() }),
    execute: () => answers.shift(),
  }),
})

it('fills a call from the schema and answers with its result', async () => {
  const run = planner({ weather, calculate }).start('Will it rain in Lisbon next Friday?')

  expect(await answerOf(run)).toContain('temperature: **21**')
  expect(callsOf(run)).toEqual([{ name: 'weather', input: { city: 'Lisbon', date: '2026-11-27' } }])
})

it('makes independent calls at once', async () => {
  const run = planner({ weather, calculate }).start('What is the weather in Lisbon and what is 12 * (3 + 4)?')

  expect(await answerOf(run)).toContain('**84**')
  expect(run.state.iteration).toBe(2)
  expect(callsOf(run).map(({ name }) => name)).toEqual(['weather', 'calculate'])
})

it('asks once for each of several places', async () => {
  const run = planner({ weather }).start('Weather in Lisbon and Porto')

  await run.settled
  expect(callsOf(run).map(({ input }) => input)).toEqual([{ city: 'Lisbon' }, { city: 'Porto' }])
})

it('passes a result on to the next step', async () => {
  const run = planner({ weather, convert }).start(
    "What's the weather in Lisbon and then convert the temperature to fahrenheit",
  )

  await run.settled
  expect(callsOf(run)[1]).toEqual({ name: 'convert', input: { value: 21, from: 'celsius', to: 'fahrenheit' } })
})

it('continues computing with what came before', async () => {
  const run = planner({ calculate }).start('Calculate 12 * (3 + 4) and then divide it by 7')
  await run.settled

  await run.say('double it')

  await run.settled
  expect(callsOf(run).map(({ input }) => input)).toEqual([
    { expression: '12 * (3 + 4)' },
    { expression: '84 / 7' },
    { expression: '12 * 2' },
  ])
})

it('asks for what is missing and continues with the answer', async () => {
  const run = planner({ weather, ...asks('Lisbon') }).start('What is the weather?')

  expect(await answerOf(run)).toContain('Lisbon')
  expect(callsOf(run)).toEqual([
    { name: 'askUser', input: { question: 'Which city?', kind: 'text' } },
    { name: 'weather', input: { city: 'Lisbon' } },
  ])
})

it('asks in its answer where no tool can ask', async () => {
  const run = planner({ weather }).start('What is the weather on 12 May?')
  const question = await answerOf(run)

  await run.say('Lisbon')

  expect(question).toBe('Which city?')
  await run.settled
  expect(callsOf(run)).toEqual([{ name: 'weather', input: { city: 'Lisbon', date: '2027-05-12' } }])
})

it('understands a follow-up as the same call with a change', async () => {
  const run = planner({ weather }).start('Weather in Lisbon tomorrow')
  await run.settled

  await run.say('and in Porto?')

  await run.settled
  expect(callsOf(run)[1]?.input).toEqual({ city: 'Porto', date: '2026-11-21' })
})

it('receives what is said in between without losing what was asked first', async () => {
  const run = planner({ weather, calculate }).start('Weather in Lisbon')
  await run.say('and what is 12 * (3 + 4)?')

  const answer = await answerOf(run)
  expect(answer).toContain('temperature')
  expect(answer).toContain('**84**')
  expect(callsOf(run)).toHaveLength(2)
})

it('starts afresh after it was stopped', async () => {
  const stopped = (): Promise<never> => {
    void run.stop()
    return new Promise(() => {})
  }
  const run = planner({ weather: tool({ ...weather, execute: stopped }), calculate }).start('Weather in Lisbon')
  await run.settled

  await run.say('What is 12 * (3 + 4)?')

  expect(await answerOf(run)).toBe('`12 * (3 + 4)` = **84**')
})

it('offers the listed values of a slot as a choice', async () => {
  const paint = tool({
    description: 'Paints the wall.',
    inputSchema: z.object({ color: z.enum(['red', 'green']), coats: z.int().default(1) }),
    execute: ({ color }) => `The wall is ${color}.`,
  })
  const run = planner({ paint, ...asks('green') }).start('Paint the wall with 2 coats')

  expect(await answerOf(run)).toContain('The wall is green.')
  expect(callsOf(run)[0]?.input).toMatchObject({ kind: 'choice', options: ['red', 'green'] })
  expect(callsOf(run)[1]?.input).toEqual({ color: 'green', coats: 2 })
})

const shop = {
  searchBikes: tool({
    description: 'Searches bikes for hire.',
    inputSchema: z.object({ town: z.string(), maxPrice: z.number().optional() }),
    execute: () => [
      { bikeId: 'B-7', model: 'Heavy', price: 30 },
      { bikeId: 'B-9', model: 'Light', price: 20 },
    ],
  }),
  hire: tool({
    description: 'Hires one bike.',
    inputSchema: z.object({ bikeId: z.string() }),
    execute: ({ bikeId }) => `Hired ${bikeId}.`,
  }),
}

it('looks up what a call needs and picks what the words say', async () => {
  const run = planner(shop).start('Hire the cheapest bike in Ghent')

  expect(await answerOf(run)).toBe('**Hire** (B-9): Hired B-9.')
  expect(callsOf(run).map(({ name }) => name)).toEqual(['searchBikes', 'hire'])
})

it('lets the user choose among what was found', async () => {
  const answer = 'B-7 (model Heavy, price 30)'
  const run = planner({ ...shop, ...asks(answer) }).start('Find bikes in Ghent under 40 and then hire one')

  expect(await answerOf(run)).toContain('Hired B-7.')
  expect(callsOf(run)[0]?.input).toEqual({ town: 'Ghent', maxPrice: 40 })
  expect(callsOf(run)[1]?.input).toMatchObject({ kind: 'choice', options: [answer, 'B-9 (model Light, price 20)'] })
})

const rides = [
  { id: 'R-1', departs: '07:20', arrives: '10:40', duration: '3 h 20 min', price: 54, currency: 'EUR' },
  { id: 'R-2', departs: '11:05', arrives: '14:05', duration: '3 h', price: 71.5, currency: 'EUR' },
]
const travel = {
  searchRides: tool({
    description: 'Searches rides to a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: () => rides,
  }),
  book: tool({
    description: 'Books one ride.',
    inputSchema: z.object({ rideId: z.string() }),
    execute: ({ rideId }) => ({ summary: `Booked ${rideId}. Confirmation: 2G49AT.`, code: '2G49AT' }),
  }),
}

it('asks with times, prices and a badge where the tool shows them, and tells only what came of the choice', async () => {
  const run = planner({ ...travel, askUser: askUser() }).start('Find rides to Ghent and then book one')
  await run.settled
  const [ask] = run.state.asks

  await run.reply(ask?.id ?? '', 'R-2')

  expect(ask).toMatchObject({
    prompt: 'Which one shall I book?',
    options: [
      { value: 'R-1', label: '07:20 → 10:40', description: '3 h 20 min', detail: '€54', badge: 'Cheapest' },
      { value: 'R-2', label: '11:05 → 14:05', description: '3 h', detail: '€71.50' },
    ],
  })
  expect(await answerOf(run)).toBe('Booked R-2. Confirmation: 2G49AT.')
})

it('answers with a table that has prices with their currency, and no ids', async () => {
  const run = planner(travel).start('Find rides to Ghent')

  expect((await answerOf(run)).split('\n')).toEqual([
    'I found 2 rides (Ghent):',
    '',
    '| departs | arrives | duration | price |',
    '| --- | --- | --- | --: |',
    '| 07:20 | 10:40 | 3 h 20 min | €54 |',
    '| 11:05 | 14:05 | 3 h | €71.50 |',
  ])
})

it('links a page that was found, and rounds what was converted', async () => {
  const show = tool({
    description: 'Shows a page.',
    inputSchema: z.object({ query: z.string() }),
    execute: () => ({ title: 'Tabs', link: '#/docs/tabs' }),
  })
  const exact = tool({
    description: 'Converts a quantity from one unit to another.',
    inputSchema: z.object({
      value: z.number(),
      from: z.string().describe('Unit to convert from'),
      to: z.string().describe('Unit to convert to'),
    }),
    execute: ({ value, from, to }) => ({ value, from, to, result: 42.1648128 }),
  })

  expect(await answerOf(planner({ show }).start('Show the page about tabs'))).toContain('[Tabs](#/docs/tabs)')
  expect(await answerOf(planner({ exact }).start('Convert 26.2 miles to km'))).toBe('26.2 miles = **42.1648** km')
})

it('omits what builds on a call that failed', async () => {
  const searchBikes = tool({
    ...shop.searchBikes,
    execute: () => {
      throw new Error('Closed on Sundays.')
    },
  })
  const run = planner({ ...shop, searchBikes }).start('Find bikes in Ghent and then hire one')

  const answer = await answerOf(run)
  expect(answer).toContain('failed: Closed on Sundays.')
  expect(answer).toContain('I skipped "hire one"')
  expect(callsOf(run)).toHaveLength(1)
})

it('calls again what a stop has ended, once the run is resumed', async () => {
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let calls = 0
  const searchBikes = tool({
    ...shop.searchBikes,
    execute: (): Promise<never> | never[] => {
      if (++calls > 1) return []
      begin()
      return new Promise(() => {})
    },
  })
  const run = planner({ ...shop, searchBikes }).start('Find bikes in Ghent')
  await begun
  await run.stop(stoppedByUser)

  run.resume()

  expect(await answerOf(run)).toContain('nothing found')
  expect(callsOf(run)).toHaveLength(2)
})

it('takes a refused approval for an answer', async () => {
  const hire = tool({ ...shop.hire, approve: approval() })
  const run = planner({ ...shop, hire }).start('Hire the first bike in Ghent')
  await run.settled

  await run.reply(run.state.asks[0]?.id ?? '', { approved: false, reason: 'Too heavy.' })

  expect(await answerOf(run)).toContain('was refused: Too heavy.')
})

it('gives a typed answer through the tool for it', async () => {
  const output = z.object({ temperature: z.number(), city: z.string(), summary: z.string() })
  const run = agent({ name: 'planner', model, tools: { weather }, output: answer(output) }).start('Weather in Lisbon')

  const signal = await run.settled
  expect(signal).toMatchObject({ type: 'answer', output: { temperature: 21, city: 'Lisbon' }, reason: 'finalAnswer' })
})

it('fails with its reason where a typed answer is beyond it', async () => {
  const output = z.object({ score: z.number() })
  const run = agent({ name: 'planner', model, tools: { weather }, output: answer(output) }).start('Write me a poem')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('"score"') } })
})

it('says what it is and what it can do when no tool fits', async () => {
  const answer = await answerOf(planner({ weather }).start('Write me a poem about spring'))

  expect(answer).toContain('I am a small rule-based planner, not a language model')
  expect(answer).toContain('**Weather** – Gives the weather forecast for a city.')
})

it.each([
  ['Weather in Lisbon', ['searchRides', 'askUser', 'weather', 'askUser'], 'Which one shall I book?'],
  ['Hello, what can you do?', ['searchRides', 'askUser', 'askUser'], 'Which one shall I book?'],
  ['Never mind', ['searchRides', 'askUser'], undefined],
])('does what %j asks besides, and comes back to its question', async (text, calls, question) => {
  const run = planner({ ...travel, weather, askUser: askUser() }).start('Find rides to Ghent and then book one')
  await run.settled

  await run.say(text, { now: true })

  await expect.poll(() => run.state.signal?.type).toBe(question ? 'inputNeeded' : 'answer')
  expect(callsOf(run).map(({ name }) => name)).toEqual(calls)
  expect(run.state.asks[0]?.prompt).toBe(question)
})

it.each(['Hello, what can you do?', 'hi there', 'Good morning! Help me', 'What can I ask here?'])(
  'introduces itself to %j, also if it has a tool for questions',
  async (text) => {
    const search = tool({
      description: 'Searches the documentation.',
      inputSchema: z.object({ query: z.string() }),
      execute: () => [],
    })
    const run = planner({ search }).start(text)

    expect(await answerOf(run)).toMatch(/^Hello\. I am a small rule-based planner.*\*\*Search\*\* – Searches/s)
    expect(callsOf(run)).toEqual([])
  },
)

it('takes no number for a name', async () => {
  const run = planner({ weather, ...asks('Lisbon') }).start('What is the weather for two?')

  await run.settled
  expect(callsOf(run).at(-1)).toEqual({ name: 'weather', input: { city: 'Lisbon' } })
})

it.each([
  ['the 11:05 one', { type: 'answer', output: 'Booked R-2. Confirmation: 2G49AT.' }],
  ['purple', { type: 'inputNeeded', asks: [{ prompt: '"purple" does not fit. Which one shall I book?' }] }],
])('continues with what it began after %j closed its question', async (text, signal) => {
  const run = planner({ ...travel, askUser: askUser() }).start('Find rides to Ghent and then book one')
  await run.settled

  await run.say(text, { now: true })

  await expect.poll(() => run.state.signal).toMatchObject(signal)
})

it('says that it can do nothing without tools', async () => {
  expect(await answerOf(planner({}).start('Hi'))).toContain('this agent has no tools')
})
