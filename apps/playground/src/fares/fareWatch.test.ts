import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Signal } from '@interleave/core'
import { type Graph, position, visitCounts } from '@interleave/core/graph'
import type { AnyEvent } from '@interleave/core/observe'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agentFrom } from '../agents/agentFrom.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'

const file = readFileSync(path.join(import.meta.dirname, '../agents/fareWatch.yaml'), 'utf8')

/** A fare watch with the clock in hand. */
function watch(message: string) {
  const host = manualHost()
  const agent = agentFrom(file, { model: demoPlanner({ delayMs: 0 }) })
  const events: AnyEvent[] = []
  const onEvent = (event: AnyEvent) => void events.push(event)
  const run = agent.start(message, { host, observers: [onEvent] })
  const graph = agent.backend as Graph
  /** Lets time pass until the run rests. */
  const rest = async (): Promise<Signal> => {
    for (let seconds = 0; seconds < 60 && !run.state.signal; seconds++) {
      await new Promise((resolve) => setTimeout(resolve))
      await host.advance(1_000)
    }
    return run.settled
  }
  return { run, graph, events, rest }
}

const reply = async ({ run, rest }: ReturnType<typeof watch>, value: string): Promise<Signal> => {
  await run.reply(run.state.asks[0]?.id ?? '', value)
  return rest()
}

it('looks until a fare has fallen by a tenth, and then asks', async () => {
  const { run, graph, events, rest } = watch('Watch fares from Paris to Amsterdam')

  const signal = await rest()

  expect(signal).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: expect.stringContaining('€9 less') }] })
  expect(position(run.state, graph)?.node).toBe('ask')
  expect(Object.fromEntries(visitCounts(events, graph))).toMatchObject({ look: 3, fares: 3, wait: 2 })
})

it('asks after four looks where no fare falls, and continues for as long as the user wishes', async () => {
  const watching = watch('Watch trains from Berlin to Prague')

  await watching.rest()
  const before = visitCounts(watching.events, watching.graph).get('look')
  await reply(watching, 'watch')

  expect(before).toBe(4)
  expect(watching.run.state.asks[0]?.prompt).toMatch(
    /On the (?:fifth|sixth|seventh|eighth) check, the train from Berlin/,
  )
})

it('books what the user chose, and tells the code', async () => {
  const watching = watch('Watch fares from Paris to Amsterdam')

  await watching.rest()
  const signal = await reply(watching, 'book')

  expect(signal).toMatchObject({ type: 'answer', output: expect.stringMatching(/for €44\. Confirmation: \w{6}\.$/) })
})

it('books nothing otherwise', async () => {
  const watching = watch('Watch fares from Paris to Amsterdam')

  await watching.rest()

  expect(await reply(watching, 'leave')).toMatchObject({ type: 'answer', output: 'Nothing is booked.' })
})

it('watches nothing where nothing was found', async () => {
  const { rest, events, graph } = watch('Watch trains from Lisbon to Vienna')

  expect(await rest()).toMatchObject({ type: 'answer' })
  expect(visitCounts(events, graph).get('look')).toBe(0)
})

it('begins again with the next message', async () => {
  const watching = watch('Watch fares from Paris to Amsterdam')

  await watching.rest()
  await reply(watching, 'leave')
  await watching.run.say('Watch flights from Rome to Berlin')
  await watching.rest()

  expect(watching.run.state.asks[0]?.prompt).toMatch(/^On the \w+ check, the flight from Rome .* to Berlin/)
})

it('receives what the user says while it watches', async () => {
  const watching = watch('Watch fares from Paris to Amsterdam')
  const { run, rest, graph } = watching

  const settled = rest()
  while (position(run.state, graph)?.node !== 'wait') await new Promise((resolve) => setTimeout(resolve, 1))
  await run.say('Watch flights from Rome to Berlin')
  await settled

  expect(run.state.asks[0]?.prompt).toMatch(/^On the fourth check, the flight from Rome .* to Berlin/)
})
