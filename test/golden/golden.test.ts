import { wrongMoves } from '@interleave/core/internal'
import { fold, isKept, recorder, requestAt } from '@interleave/core/observe'
import { formatTrace, manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { cases } from './cases/index.ts'
import type { GoldenCase } from './GoldenCase.ts'
import { effectOf, listeningIn } from './requests.ts'

/** A place whose clock ticks with each look at it, so that the times of a log are the same each time and in order. */
function tickingHost() {
  let time = 0
  return { ...manualHost(), now: () => ++time }
}

async function record({ agent, input, whenSettled = [] }: GoldenCase) {
  const observer = recorder({ live: true })
  const { host, requests } = listeningIn(tickingHost())
  const run = agent.start(input, { host, observers: [observer] })
  await run.settled
  for (const act of whenSettled) {
    await act(run)
    await run.settled
  }
  return { bundle: await observer.export(), requests, state: run.state, log: run.log }
}

type Bundle = Awaited<ReturnType<typeof record>>['bundle']

/** Returns the number of events of each type, live ones separately. */
function countsOf({ events, live }: Bundle): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const event of [...events, ...live.map((told) => told.event)]) {
    const name = isKept(event) ? event.type : `${event.type} (live)`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const asFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

for (const golden of cases) {
  // The script of a model is read once.
  let recording: ReturnType<typeof record> | undefined
  const recorded = () => {
    recording ??= record(golden)
    return recording
  }

  it(`runs "${golden.name}" as recorded: counts, order of events and bundle`, async () => {
    const { bundle } = await recorded()

    expect(bundle.events.at(-1)?.type).toBe('settled')
    await expect(`${formatTrace(bundle.events)}\n`).toMatchFileSnapshot(`recorded/${golden.name}.trace.txt`)
    await expect(asFile(countsOf(bundle))).toMatchFileSnapshot(`recorded/${golden.name}.counts.json`)
    await expect(asFile(bundle)).toMatchFileSnapshot(`recorded/${golden.name}.bundle.json`)
  })

  it(`has the state of "${golden.name}" as the fold of its log by the changes of all capabilities`, async () => {
    const { state, log } = await recorded()
    const { draft: _, ...folded } = fold(log)

    expect({ ...state, draft: undefined }).toEqual(folded)
  })

  it(`moves the calls of "${golden.name}" along the ways of the table`, async () => {
    expect(wrongMoves((await recorded()).log)).toEqual([])
  })

  it(`tells again what the models of "${golden.name}" were asked with`, async () => {
    const { bundle, requests } = await recorded()

    for (const event of bundle.events) {
      const key = effectOf(event, bundle.events)
      expect(await requestAt(golden.agent, bundle.events, event.seq)).toEqual(key && requests.get(key))
    }
  })
}

it('has a name of its own for each case', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})
