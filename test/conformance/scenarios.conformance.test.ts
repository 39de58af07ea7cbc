import { agent, type Run, reasonAct, type Signal } from '@interleave/core'
import { afterAll, expect, it } from 'vitest'
import { type Capture, manifestFile, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
import { modelFor } from './providers.ts'
import { expectedReading, readingOf } from './reading.ts'
import { permissiveTools, secret, thoughtsOf, toolAnswer } from './replayCapture.ts'
import { startReplayServer } from './replayServer.ts'
import { tallying } from './tally.ts'

const manifest = readManifest()
const server = await startReplayServer(manifest)
const scenarios = manifest.scenarios.map((scenario, index) => ({ ...scenario, index }))
const tallyRow = tallying({ file: manifestFile, of: scenarios.length })
afterAll(() => server.close())
needsData(manifestFile)

function captureOf(id: string): Capture {
  const capture = manifest.captures.find((other) => other.id === id)
  if (!capture) throw new Error(`The manifest has no capture ${id}.`)
  return capture
}

it.concurrent.for(scenarios)('goes through the loop $id', async ({ id, index, steps }, { task }) => {
  tallyRow(task, 'loops', { row: id, parts: steps.length })
  const captures = steps.map(captureOf)

  const { run, signals } = await replayLoop(index, captures)

  const thoughts = await thoughtsOf(run)
  expect(thoughts.map((thought, k) => withoutProviderTools(thought, captures[k]))).toEqual(
    captures.map(expectedReading),
  )
  expect(signals.map(({ type }) => type)).toEqual(signalsOf(captures))
  expectObserved(captures, server.bodies(`session-${index}`))
})

/** The user speaks again as long as something was recorded. */
async function replayLoop(index: number, captures: readonly Capture[]): Promise<{ run: Run; signals: Signal[] }> {
  const [first] = captures
  if (!first) throw new Error('The scenario has no steps.')
  const options = { baseURL: `${server.url}/s/${index}/session-${index}/v1`, apiKey: secret }
  const run = agent({
    name: 'replay',
    model: modelFor(first, options),
    tools: permissiveTools(captures),
    backend: reasonAct({ think: { retries: 0 }, limits: { iterations: 100 } }),
  }).start('Begin.')
  const signals = [await run.settled]
  while (run.state.iteration < captures.length && signals.length < captures.length) {
    await proceed(run, signals.at(-1))
    signals.push(await run.settled)
  }
  return { run, signals }
}

/** After a failure the same is asked again, which is the next request too. */
async function proceed(run: Run, signal: Signal | undefined): Promise<void> {
  if (signal?.type === 'answer') await run.say('Go on.')
  else if (signal?.type === 'failed') run.resume()
  else throw new Error(`The loop rests with "${signal?.type}".`)
}

type Thought = Awaited<ReturnType<typeof thoughtsOf>>[number]

function withoutProviderTools(thought: Thought, capture: Capture | undefined): unknown {
  if (!capture) return thought
  const { providerTools: _, ...reading } = readingOf(thought, capture.expect)
  return reading
}

/** Returns the rests of a scenario: each step without a call of ours. */
const signalsOf = (captures: readonly Capture[]): string[] =>
  captures
    .filter(({ expect: { tool_calls, error } }) => tool_calls.length === 0 || error)
    .map(({ expect: { error } }) => (error ? 'failed' : 'answer'))

/** The request after a call carries what the tool answered. */
function expectObserved(captures: readonly Capture[], bodies: readonly string[]): void {
  expect(bodies).toHaveLength(captures.length)
  for (const [k, { expect: step }] of captures.entries()) {
    if (step.tool_calls.length > 0 && bodies[k + 1]) expect(bodies[k + 1]).toContain(toolAnswer)
  }
}
