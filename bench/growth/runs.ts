import { agent, type Run, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { eventsOf } from '@interleave/core/observe'
import { runChild } from '@interleave/core/steps'
import * as z from 'zod'
import { createKit } from '../kit.ts'
import { createWorker } from '../subjects/interleave.ts'
import { toPrompt, toWork } from '../work.ts'
import { answered, callingOnce, callingTimes, inOneStep } from './agents.ts'
import type { Growing } from './growing.ts'

const worker = createWorker(createKit())
const sizes = [500, 1_000, 2_000, 4_000]

const taking = (name: string, work: (size: number) => Promise<unknown>): Growing => ({
  name,
  sizes,
  prepare: async (size) => () => () => work(size),
})

async function consume(run: Run): Promise<void> {
  for await (const event of eventsOf(run)) if (event.type === 'settled') return
}

/** Runs with many turns, calls, readers or children. */
export const runsThatGrow: readonly Growing[] = [
  taking('a run, by turns', (iterations) => answered(worker.start(toPrompt(toWork({ iterations }))))),
  taking('calls of one turn, by calls', (size) => {
    const look = tool({ inputSchema: z.object({}), execute: () => 'seen', effect: 'readOnly' })
    return answered(agent({ name: 'a', model: callingTimes(size, 'look'), tools: { look } }).start('Go'))
  }),
  taking('eventsOf, by readers of one run', (size) => {
    const run = worker.start(toPrompt(toWork({ iterations: 20 })))
    return Promise.all(Array.from({ length: size }, () => consume(run)))
  }),
  taking('a child run without a journal, by its turns', (iterations) => {
    const model = callingOnce('worker', { task: toPrompt(toWork({ iterations })) })
    const tools = { worker: agentTool(worker, { description: 'Works.' }) }
    return answered(agent({ name: 'boss', model, tools }).start('Go'))
  }),
  taking('children of a step without a journal, by children', (size) => {
    const input = toPrompt(toWork({ iterations: 1 }))
    const boss = inOneStep(async (run) => {
      for (let i = 0; i < size; i++) await runChild(run, { key: `child ${i}`, agent: worker, input })
    }, size)
    return answered(boss.start('Go'))
  }),
]
