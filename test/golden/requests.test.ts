import type { Event } from '@interleave/core'
import { fold, isKept, type ModelRequest, recorder, requestAt } from '@interleave/core/observe'
import { manualHost } from '@interleave/core/testing'
import { expect, it } from 'vitest'
import { cases } from './cases/index.ts'
import type { GoldenCase } from './GoldenCase.ts'

/** A run, and what its models were asked with, by the key of the effect. */
async function listenIn({ agent, input, atRest = [] }: GoldenCase) {
  const requests = new Map<string, ModelRequest | undefined>()
  const host = manualHost()
  const perform: typeof host.perform = (effect, body) => {
    if (effect.kind === 'model') requests.set(effect.key, structuredClone(effect.request))
    return body()
  }
  const observer = recorder()
  const run = agent.start(input, { host: { ...host, perform }, observers: [observer] })
  await run.settled
  for (const act of atRest) {
    await act(run)
    await run.settled
  }
  return { requests, events: (await observer.export()).events.filter(isKept) }
}

/** The effect that wrote an event, if a model did. */
function keyOf(event: Event, events: readonly Event[]): string | undefined {
  if (event.type === 'noted') return event.key.startsWith('consult/') ? event.key : undefined
  if (event.type !== 'thought') return undefined
  return `${fold(events.filter(({ seq }) => seq < event.seq)).iteration + 1}/model`
}

it.each(cases)('tells again what the models of "$name" were asked with', async (golden) => {
  const { requests, events } = await listenIn(golden)

  for (const event of events) {
    const key = keyOf(event, events)
    expect(await requestAt(golden.agent, events, event.seq)).toEqual(key && requests.get(key))
  }
})
