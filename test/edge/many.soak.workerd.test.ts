// Tests many concurrent runs in one workerd, each with a follower. EDGE_RUNS sets another number of them.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, openEdge } from './openEdge.ts'

const runs = Number(process.env.EDGE_RUNS ?? 500)

/**
 * The timeout of the test, also for takeovers: a run that waits for its turn on a busy machine must not count as dead.
 */
const timeoutMs = 300_000
let edge: Edge

beforeAll(async () => {
  edge = await openEdge({ modelMs: 50, deedMs: 0, watchMs: timeoutMs })
})
afterAll(() => edge?.end())

/** Begins a run and reads all of its stream, as it comes. */
async function follow(number: number) {
  const headers = { authorization: `person ${number % 20}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ agent: 'doer', input: `run${number} charge` })
  const runId = crypto.randomUUID()
  const started = await fetch(`${edge.workerd.url}/v1/runs/${runId}`, { method: 'POST', headers, body })
  const { body: stream } = await fetch(`${edge.workerd.url}/v1/runs/${runId}/events?follow=false`, { headers })
  const [seqs, waits]: [number[], number[]] = [[], []]
  const openedAt = Date.now()
  let text = ''
  for await (const chunk of stream?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, seq, event] = /^id: (\d+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
      text = text.slice(end + 2)
      if (!event) continue
      seqs.push(Number(seq))
      const { at } = JSON.parse(event) as { at: number }
      // Earlier events were not waited for.
      if (at > openedAt) waits.push(Date.now() - at)
    }
  }
  return { runId, status: started.status, seqs, waits }
}

test('many runs at once tell each of their events once', { timeout: timeoutMs }, async () => {
  const begin = performance.now()
  const all = await Promise.all(Array.from({ length: runs }, (_, number) => follow(number)))
  const seconds = (performance.now() - begin) / 1_000

  for (const { runId, seqs, status } of all)
    expect({ status, seqs }, runId).toEqual({ status: 201, seqs: [0, 1, 2, 3, 4, 5, 6] })
  const deeds = edge.world.deeds.map(({ key }) => key.split('/')[1])
  expect(new Set(deeds).size).toBe(runs)
  expect(deeds).toHaveLength(runs)
  const waits = all.flatMap((each) => each.waits).sort((a, b) => a - b)
  const at = (part: number) => waits[Math.floor((waits.length - 1) * part)]
  console.info(
    `${runs} runs, ${waits.length} events in ${seconds.toFixed(1)} s; from event to reader p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
})
