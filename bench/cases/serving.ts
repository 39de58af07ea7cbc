import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { remoteAgent } from '@interleave/connect/http'
import type { NodeCase } from '../nodeCase.ts'
import { percentile, type Sample } from '../sample.ts'
import { clock } from '../serving/clock.ts'
import { floorReader } from '../serving/floorReader.ts'
import { interleaveReader } from '../serving/interleaveReader.ts'
import type { ServedReader } from '../serving/servedReader.ts'
import { answerOf, toPrompt, toWork } from '../work.ts'

/** The cost of executing a run on a server, from its model to the page. */
export const serving: NodeCase = {
  name: 'serving',
  title: 'A run on a server, read over HTTP by another thread',
  subjects: ['floor', 'interleave'],
  async measure({ subject, quick }) {
    const thread = new Worker(path.join(import.meta.dirname, '../serving/serverThread.ts'))
    const url = await new Promise<string>((resolve, reject) => thread.once('message', resolve).once('error', reject))
    const reader = subject.name === 'floor' ? floorReader(url) : interleaveReader(url)
    try {
      await reader.readPaced(() => {})
      return [
        ...(await measureLog(url, reader, quick ? 1_000 : 5_000)),
        ...(await measureDeltas(reader, quick ? 10_000 : 50_000)),
        ...(await measurePaced(reader)),
      ]
    } finally {
      await thread.terminate()
    }
  },
}

/** A log that is there, from its first event. */
async function measureLog(url: string, reader: ServedReader, iterations: number): Promise<readonly Sample[]> {
  const run = remoteAgent({ url, name: 'worker' }).start(toPrompt(toWork({ iterations })))
  await run.settled
  run.close()
  await reader.readLog(run.id)
  const start = clock()
  const { events, bytes } = await reader.readLog(run.id)
  const seconds = (clock() - start) / 1_000
  return [
    { metric: 'durable events, from the first one on', unit: 'events/s', value: events / seconds },
    { metric: 'a durable event', unit: 'bytes', value: bytes / events },
  ]
}

/** A text that streams as fast as it can. */
async function measureDeltas(reader: ServedReader, deltas: number): Promise<readonly Sample[]> {
  const work = toWork({ deltas })
  let text = ''
  const start = clock()
  await reader.readDeltas(toPrompt(work), (delta) => {
    text += delta
  })
  const seconds = (clock() - start) / 1_000
  // Who comes late is told the text so far in one piece, and the end of it with the turn.
  if (!answerOf(work).startsWith(text)) throw new Error(`Another text: ${text.slice(0, 80)}`)
  return [{ metric: 'text deltas, as they stream', unit: 'deltas/s', value: deltas / seconds }]
}

/** A delta each 5 ms, which says when the model gave it. */
async function measurePaced(reader: ServedReader): Promise<readonly Sample[]> {
  const late: number[] = []
  const read = await reader.readPaced((delta) => {
    const now = clock()
    for (const at of delta.trim().split(' ')) late.push(now - Number(at))
  })
  return [
    { metric: 'from the model to the page, p50', unit: 'ms', value: percentile(late, 0.5) },
    { metric: 'from the model to the page, p99', unit: 'ms', value: percentile(late, 0.99) },
    { metric: 'a live text delta, with all that comes with its run', unit: 'bytes', value: read.bytes / late.length },
  ]
}
