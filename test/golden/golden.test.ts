import { isKept, recorder } from '@interleave/core/observe'
import { formatTrace, manualHost } from '@interleave/core/testing'
import { expect, it } from 'vitest'
import { cases } from './cases/index.ts'
import type { GoldenCase } from './GoldenCase.ts'

/** A place whose clock ticks with each look at it, so that the times of a log are the same each time and in order. */
function tickingHost() {
  let time = 0
  return { ...manualHost(), now: () => ++time }
}

async function record({ agent, input, atRest = [] }: GoldenCase) {
  const observer = recorder({ live: true })
  const run = agent.start(input, { host: tickingHost(), observers: [observer] })
  await run.settled
  for (const act of atRest) {
    await act(run)
    await run.settled
  }
  return observer.export()
}

/** How often each event happened, live ones apart. */
function countsOf({ events, live }: Awaited<ReturnType<typeof record>>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const event of [...events, ...live.map((told) => told.event)]) {
    const name = isKept(event) ? event.type : `${event.type} (live)`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const asFile = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

for (const golden of cases) {
  it(`runs "${golden.name}" as recorded: counts, order of events and bundle`, async () => {
    const bundle = await record(golden)

    expect(bundle.events.at(-1)?.type).toBe('rested')
    await expect(`${formatTrace(bundle.events)}\n`).toMatchFileSnapshot(`recorded/${golden.name}.trace.txt`)
    await expect(asFile(countsOf(bundle))).toMatchFileSnapshot(`recorded/${golden.name}.counts.json`)
    await expect(asFile(bundle)).toMatchFileSnapshot(`recorded/${golden.name}.bundle.json`)
  })
}

it('has a name of its own for each case', () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length)
})
