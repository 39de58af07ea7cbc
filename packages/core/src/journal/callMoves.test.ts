import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from '../agent.ts'
import type { Event } from '../event.ts'
import { tool } from '../tool.ts'
import { wrongMoves } from './callMoves.ts'

it.each([
  ['is observed twice', 'observed', ['4 observed: 1/tool/0 done → done']],
  ['is claimed twice, as after a crash', 'claimed', []],
] as const)('judges a call that %s', async (_, type, wrong) => {
  const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go')
  await run.settled
  const twice = (event: Event): readonly Event[] => (event.type === type ? [event, event] : [event])

  expect(wrongMoves(run.log)).toEqual([])
  expect(wrongMoves(run.log.flatMap(twice))).toEqual(wrong)
})
