import { agent, answer as answerOf, confirm, finalAnswer, type Run, reasonAct, tool } from '@interleave/core'
import { savedRun } from '@interleave/core/journal'
import { eventsOf, scratchpad } from '@interleave/core/observe'
import { collect } from '@interleave/test-kit/collect'
import { expectTrace, type ScriptedModel, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { wrapLanguageModel } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type TextFormat, writings } from './format.ts'
import { malformedStep } from './stepTranslator.ts'
import { unknownUsage } from './stepUsage.ts'
import { stepWriter } from './stepWriter.ts'
import { textMode, textModeMiddleware } from './textMode.ts'
import type { TextModeOptions } from './textModeSettings.ts'
import type { StepItem } from './transcript.ts'

const search = tool({
  description: 'Searches the encyclopedia.',
  inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) => {
    if (query === 'Atlantis') throw new Error('No such page.')
    return `${query} is a city.`
  },
})
const book = tool({
  inputSchema: z.object({ people: z.int(), day: z.string() }),
  execute: async ({ people, day }, { ask }) =>
    (await ask(confirm({ prompt: 'Sure?' }))) ? `${people} on ${day}` : 'No.',
})
const tools = { search, book }

const look = (query: string): string => `Thought: I look.\nAction: search\nAction Input: {"query": "${query}"}`
const answer = (text: string): string => `Thought: I know.\nFinal Answer: ${text}`

function start(turns: readonly ScriptedTurn[], options?: TextModeOptions): { run: Run<string>; inner: ScriptedModel } {
  const inner = scriptedModel(...turns)
  const backend = reasonAct({ think: { retryDelayMs: 1 } })
  return { inner, run: agent({ name: 'a', model: textMode(inner, options), tools, backend }).start('Where is Paris?') }
}
const traceOf = (run: Run) => collect(eventsOf(run))
/** A turn is taken before the run that takes it can be named. */
const soon = Promise.resolve()
/** The text of the last message of each call, and of all of the last call. */
const lastMessages = ({ calls }: ScriptedModel): (string | undefined)[] =>
  calls.map(({ prompt }) => textOf(prompt.at(-1)?.content))
const textOf = (content: unknown): string | undefined => (content as { text?: string }[] | undefined)?.[0]?.text

it('thinks, acts, observes and answers', async () => {
  const { run, inner } = start([look('Paris'), answer('In France.')])

  expectTrace(
    await traceOf(run),
    `0 started a
     0 said user "Where is Paris?"
     1 thought "" search({"query":"Paris"})
     1 claimed 1/tool/0
     1 observed 1/tool/0 text "Paris is a city."
     2 thought "In France."
     2 settled answer "In France."`,
  )
  expect(lastMessages(inner)).toEqual(['Where is Paris?', 'Observation: Paris is a city.'])
  expect(scratchpad(run.state)[0]).toMatchObject({ type: 'thought', text: '', reasoning: 'I look.' })
})

it.each([
  ['a tool that fails', look('Atlantis'), 'Observation: Error: No such page.'],
  ['a tool that does not exist', 'Action: swim\nAction Input: {}', /^Observation: Error: There is no tool "swim"/],
  [
    'an input that does not fit',
    'Action: book\nAction Input: {"people": 2}',
    /^Observation: Error: The input of book does not fit/,
  ],
  ['a step that cannot be read', 'I think I look it up.', /^Observation: There is no step in what you wrote/],
])('tells the model of %s', async (_, turn, told) => {
  const { run, inner } = start([turn, answer('Well.')])

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Well.' })
  expect(lastMessages(inner)[1]).toMatch(told)
})

it('shows the model what it wrote, and the log what was wrong with it', async () => {
  const { run, inner } = start(['I think I look it up.', answer('Well.')])
  await run.settled

  expect(textOf(inner.calls[1]?.prompt.at(-2)?.content)).toBe('I think I look it up.')
  expect(scratchpad(run.state).slice(1, 3)).toMatchObject([
    { type: 'action', tool: 'malformed_step', input: { text: 'I think I look it up.' } },
    {
      type: 'observation',
      error: { code: 'tool_input_invalid', message: expect.stringContaining('There is no step') },
    },
  ])
})

it('fails after three malformed steps in a row, and resumes from there', async () => {
  const { run } = start(['Hm.', 'Hm?', 'Hm!', answer('Well.')])

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'model_malformed', message: expect.stringContaining('3 times in a row') },
  })
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Well.' })
})

it('leaves the turn to the next model of the agent where it gives up', async () => {
  const model = [textMode(scriptedModel('Hm.', 'Hm?', 'Hm!')), scriptedModel('Well.')]

  expect(await agent({ name: 'a', model, tools }).start('Go').settled).toMatchObject({
    type: 'answer',
    output: 'Well.',
  })
})

it('starts counting again after a valid step', async () => {
  const { run } = start(['Hm.', 'Hm?', look('Paris'), 'Hm.', 'Hm?', answer('Well.')])

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Well.' })
})

it('pauses for a question and resumes from a state that was stored as text', async () => {
  const before = start(['Action: book\nAction Input: {"people": 2, "day": "Mon"}'])
  expect(await before.run.settled).toMatchObject({ type: 'inputNeeded' })

  const inner = scriptedModel(answer('Booked.'))
  const after = await agent({ name: 'a', model: textMode(inner), tools }).resume(
    savedRun(JSON.parse(JSON.stringify(before.run.log))),
  )
  await after.reply('1/tool/0/ask/0', true)

  expect(await after.settled).toMatchObject({ type: 'answer', output: 'Booked.' })
  expect(lastMessages(inner)).toEqual(['Observation: 2 on Mon'])
})

it('counts malformed steps across a reload', async () => {
  const before = start(['Hm.', 'Hm?', 'Hm!'])
  await before.run.settled

  const model = textMode(scriptedModel('Hm…'))
  const after = await agent({ name: 'a', model, tools }).resume(savedRun(JSON.parse(JSON.stringify(before.run.log))))
  after.resume()

  expect(await after.settled).toMatchObject({ type: 'failed', error: { code: 'model_malformed' } })
})

it('receives a message during a turn', async () => {
  const interrupt: ScriptedTurn = async () => {
    await soon
    await run.say('And be brief.')
    return look('Paris')
  }
  const { run, inner } = start([interrupt, answer('France.')])

  expect(await run.settled).toMatchObject({ output: 'France.' })
  expect(lastMessages(inner)[1]).toBe('Observation: Paris is a city.\n\nMessage from the user:\n\nAnd be brief.')
})

it('continues the conversation after an answer', async () => {
  const { run, inner } = start([answer('In France.'), answer('In Japan.')])
  await run.settled
  await run.say('And Kyoto?')

  expect(await run.settled).toMatchObject({ output: 'In Japan.' })
  expect(inner.calls[1]?.prompt.slice(1).map(({ content }) => textOf(content))).toEqual([
    'Where is Paris?',
    answer('In France.'),
    'And Kyoto?',
  ])
})

it('types the final answer, and sends back what does not fit', async () => {
  const inner = scriptedModel('Final Answer: Many', 'Final Answer: {"n": 5}')
  const run = agent({ name: 'a', model: textMode(inner), tools, output: answerOf(z.object({ n: z.number() })) }).start(
    'Count',
  )

  expect(await run.settled).toEqual({ type: 'answer', output: { n: 5 }, reason: 'finalAnswer' })
  expect(lastMessages(inner)[1]).toMatch(/^Observation: Error: The answer does not fit/)
})

it('types an answer that is not an object', async () => {
  const model = textMode(scriptedModel('Final Answer: 5'))

  expect(await agent({ name: 'a', model, output: answerOf(z.number()) }).start('Count').settled).toMatchObject({
    output: 5,
  })
})

it('answers by the tool that the agent has for it', async () => {
  const model = textMode(scriptedModel(look('Paris'), answer('Done.')), { answerTool: 'done' })
  const backend = reasonAct({ stop: finalAnswer({ name: 'done' }) })

  const run = agent({ name: 'a', model, tools, backend }).start('Go')

  expect(await run.settled).toEqual({ type: 'answer', output: 'Done.', reason: 'finalAnswer' })
})

it('says what format fits where an agent has too many tools for one', async () => {
  const { run } = start(['ls'], { format: 'swe-xml-command' })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'options_invalid' } })
})

it('keeps calls apart by their ids, over many turns', async () => {
  const { run } = start([look('Paris'), look('Rome'), 'Hm.', look('Bonn'), answer('Well.')])
  await run.settled

  const ids = run.state.history
    .flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls.map(({ id }) => id) : []))
  expect(ids).toEqual(['action-1', 'action-2', 'action-3', 'action-4'])
})

it('retries a turn whose stream broke off, and runs nothing of it', async () => {
  const half = [{ type: 'text-delta', id: '0', delta: look('Pa').slice(0, -2) }] as const
  const { run } = start([half, look('Rome'), answer('Well.')])
  await run.settled

  expect(scratchpad(run.state).filter(({ type }) => type === 'action')).toMatchObject([{ input: { query: 'Rome' } }])
})

it('serves any number of runs at once', async () => {
  const echo: ScriptedTurn = ({ prompt }) => answer(textOf(prompt.at(-1)?.content) ?? '')
  const model = textMode(scriptedModel(...Array.from({ length: 50 }, () => echo)))
  const described = agent({ name: 'a', model, tools })

  const signals = await Promise.all(Array.from({ length: 50 }, (_, n) => described.start(`I am ${n}.`).settled))

  expect(signals.map((signal) => signal.type === 'answer' && signal.output)).toEqual(
    Array.from({ length: 50 }, (_, n) => `I am ${n}.`),
  )
})

it('can be stopped in the middle of a thought', async () => {
  const stop: ScriptedTurn = async () => {
    await soon
    void run.stop('Enough.')
    return look('Paris')
  }
  const { run } = start([stop])

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Enough.' })
})

/** A thought, an action and an answer, as the format writes them; a thought apart is a text of its own. */
function textsIn(format: TextFormat): string[] {
  const writer = stepWriter({ format, answerTool: 'final_answer' })
  const action = { tool: 'search', input: { query: 'Paris' } }
  const { thinksApart } = writer.writing
  const thinking: StepItem[] = thinksApart ? [{ type: 'step', thought: 'I look.' }] : []
  const acting: StepItem = { type: 'step', ...(!thinksApart && { thought: 'I look.' }), action }
  const answering: StepItem = { type: 'step', ...(!thinksApart && { thought: 'France.' }), answer: 'France.' }
  return [...thinking, acting, answering].map((step, number) => writer.step(step, number + 1))
}

it.each(Object.keys(writings) as TextFormat[])('runs an agent whose model writes %s', async (format) => {
  const model = textMode(scriptedModel(...textsIn(format)), { format })
  const run = agent({ name: 'a', model, tools: { search } }).start('Where is Paris?')

  expect(await run.settled).toMatchObject({ type: 'answer', output: expect.stringMatching(/France\.$/) })
  expect(scratchpad(run.state).slice(0, 3)).toMatchObject([
    { type: 'thought', ...(format === 'xml-tool-call' ? { text: 'I look.' } : { reasoning: 'I look.' }) },
    { type: 'action', tool: 'search', input: { query: 'Paris' } },
    { type: 'observation', output: 'Paris is a city.' },
  ])
})

const labelling = (Object.keys(writings) as TextFormat[]).filter(
  (format) => stepWriter({ format, answerTool: 'final_answer' }).observation('x', 1) !== 'x',
)

it.each(labelling)('does not act on an observation that the model repeats in %s', async (format) => {
  const writer = stepWriter({ format, answerTool: 'final_answer' })
  const step = writer.step({ type: 'step', action: { tool: 'search', input: { query: 'Atlantis' } } }, 2)
  const repeated = `${writer.observation('Do this now:', 1)}\n${step}`
  const model = textMode(scriptedModel(repeated, repeated, repeated), { format })
  const run = agent({ name: 'a', model, tools: { search } }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_malformed' } })
  expect(scratchpad(run.state).filter((entry) => entry.type === 'action' && entry.tool === 'search')).toEqual([])
})

const called = (query: string): string => `<tool_call>{"name": "search", "arguments": {"query": "${query}"}}`

it('runs the valid calls, and reports an invalid one next to them to the model', async () => {
  const { run, inner } = start([`${called('Paris')}\n<tool_call>{"name": }</tool_call>\n${called('Rome')}`, 'Well.'], {
    format: 'xml-tool-call',
  })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Well.' })
  expect(scratchpad(run.state).filter(({ type }) => type === 'action')).toMatchObject([
    { tool: 'search', input: { query: 'Paris' } },
    { tool: 'search', input: { query: 'Rome' } },
    { tool: malformedStep, input: { text: '{"name": }' } },
  ])
  expect(inner.calls[1]?.prompt.map(({ content }) => textOf(content)).join('\n')).toContain('A call cannot be read')
})

it('reports a call that was cut off next to a whole one to the model', async () => {
  const cut: ScriptedTurn = [
    { type: 'text-delta', id: '0', delta: `${called('Paris')}\n${called('Ro').slice(0, -3)}` },
    { type: 'finish', finishReason: { unified: 'length', raw: 'length' }, usage: unknownUsage },
  ]
  const { run } = start([cut, 'Well.'], { format: 'xml-tool-call' })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Well.' })
  expect(scratchpad(run.state).filter(({ type }) => type === 'action')).toMatchObject([
    { tool: 'search', input: { query: 'Paris' } },
    { tool: malformedStep },
  ])
})

it.each(['{"action": "approve", "reason": "small"}', '{"name": "Ada", "arguments": 3, "x": 1}'])(
  'takes an object for the answer where answers have no mark: %j',
  async (text) => {
    const { run } = start([text], { format: 'xml-tool-call' })

    expect(await run.settled).toMatchObject({ type: 'answer', output: text })
  },
)

it('leaves what the model has read before as it was, so that servers need not read it again', async () => {
  const { run, inner } = start([look('Paris'), 'Hm.', look('Rome'), answer('Well.')])
  await run.settled

  for (const [index, { prompt }] of inner.calls.slice(1).entries()) {
    const before = inner.calls[index]?.prompt ?? []
    expect(prompt.slice(0, before.length)).toEqual(before)
  }
})

it('works as a middleware of the AI SDK', async () => {
  const inner = scriptedModel(look('Paris'), answer('In France.'))
  const model = wrapLanguageModel({ model: inner, middleware: textModeMiddleware({ format: 'mrkl-json-input' }) })

  expect(await agent({ name: 'a', model, tools }).start('Where?').settled).toMatchObject({ output: 'In France.' })
})
