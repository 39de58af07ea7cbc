import { laws } from '@interleave/test-kit/laws'
import { finishPart } from '@interleave/test-kit/providerParts'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recorder } from '../history/index.ts'
import { agent, finalAnswer, reasonAct, tool } from '../index.ts'
import { forceAction } from './index.ts'

const look = tool({ inputSchema: z.object({}), execute: () => 'Five.' })
const looking = { calls: [{ name: 'look', input: {} }] }
const done = { calls: [{ name: 'final_answer', input: { answer: 'Done.' } }] }
const backend = reasonAct({ stop: finalAnswer(), before: [forceAction({ after: 2 })] })

async function choicesOf(turns: readonly ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  const bundle = recorder()
  const run = agent({ name: 'a', model, tools: { look }, backend }).start('Go', { observers: [laws(), bundle] })
  const signal = await run.settled
  return { signal, choices: model.calls.map(({ toolChoice }) => toolChoice?.type), events: bundle.export().events }
}

it('asks for a call after so many turns without one', async () => {
  const { choices, events } = await choicesOf(['Hm.', 'Hm, hm.', done])

  expect(choices).toEqual(['auto', 'auto', 'required'])
  const go = 'You are not done. Go on, or call final_answer if you have the final answer.'
  expectTrace(
    events,
    `
    0 started a
    0 said user "Go"
    1 thought "Hm."
    1 said agent "${go}"
    2 thought "Hm, hm."
    2 said agent "${go}"
    2 said agent "You have thought for 2 turns without acting. Call a tool now."
    3 thought "" final_answer({"answer":"Done."})
    3 observed 3/tool/0 text "Accepted."
    3 settled answer "Done."
    `,
  )
})

it('counts again after a call, and keeps asking until there is one', async () => {
  expect((await choicesOf(['Hm.', looking, 'Hm.', looking, done])).choices).toEqual(Array(5).fill('auto'))
  expect((await choicesOf(['1', '2', '3', '4', looking, done])).choices).toEqual([
    ...['auto', 'auto', 'required', 'required', 'required', 'auto'],
  ])
})

it('counts what the provider runs itself, and not what was cut off', async () => {
  const searched = [
    { type: 'tool-call', toolCallId: '1', toolName: 'search', input: '{}', providerExecuted: true },
    { type: 'tool-result', toolCallId: '1', toolName: 'search', result: {} },
    finishPart(),
  ] as const

  expect((await choicesOf(['Hm.', searched, 'Hm.', done])).choices).toEqual(['auto', 'auto', 'auto', 'auto'])
})

it('asks again in the middle after a reload, and says it once', async () => {
  const ends = await resumedEverywhere(['Hm.', 'Hm.', done], (model) =>
    agent({ name: 'a', model, tools: { look }, backend }),
  )

  for (const { signal, state } of ends) {
    expect(signal).toMatchObject({ output: 'Done.' })
    const said = [...state.history.flat(), ...state.pending].filter(
      (entry) => entry.type === 'said' && /without acting/.test(`${entry.content}`),
    )
    expect(said).toHaveLength(1)
  }
})

it.each([0, -1, 1.5, Number.NaN])('refuses to count to %j', (after) => {
  expect(() => forceAction({ after })).toThrow(/after.* number/)
})
