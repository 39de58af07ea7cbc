import { type Agent, agent, type Event, tool } from '@interleave/core'
import { prune } from '@interleave/core/journal'
import { restateAgent, restateHost, restateJournal } from '@interleave/restate'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import * as sdk from '@restatedev/restate-sdk'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { restateOfFile } from './restateOfFile.ts'
import { query, restateBinary } from './startRestate.ts'
import { stepper } from './steps.ts'

const restate = restateOfFile()

async function serve(name: string, served: Agent, mode: 'fetch' | 'http2' = 'http2'): Promise<void> {
  const { services } = restateHost({
    ...{ sdk, name, ingress: restate.server.ingress, agents: [served] },
    bidirectional: mode === 'http2',
  })
  await restate.serve(services, mode)
}

it.runIf(restateBinary).each(['http2', 'fetch'] as const)(
  'settles where a result is too large, and continues with a smaller one, over %s',
  async (mode) => {
    let size = 11_000_000
    const read = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'x'.repeat(size) })
    const turn = (isRead: boolean): ScriptedTurn => (isRead ? 'It is long.' : { calls: [{ name: 'read', input: {} }] })
    const model: ReturnType<typeof scriptedModel> = {
      ...scriptedModel(),
      doStream: ({ prompt, ...call }) =>
        scriptedModel(turn(prompt.some(({ role }) => role === 'tool'))).doStream({ ...call, prompt: [] }),
    }
    await serve(mode, agent({ name: 'reader', model, tools: { read } }), mode)
    const { ingress } = restate.server
    const run = restateAgent({ agent: 'reader', name: mode, ingress }).start('Read it.', { id: 'reads' })

    expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_full' } })
    const log = await restateJournal({ ingress, name: mode }).read('reads')
    expect(log.map(({ type }) => type)).toEqual(['started', 'said', 'thought', 'claimed', 'settled'])

    size = 2_000_000
    run.resume()
    await expect.poll(() => run.state.signal).toMatchObject({ output: 'It is long.' })
    run.close()
  },
)

it.runIf(restateBinary)('keeps nothing of runs that are old but how often they were claimed', async () => {
  const { ingress, admin } = restate.server
  const name = 'pruned'
  await serve(name, stepper(2))
  const journal = restateJournal({ ingress, admin, name })
  const steps = restateAgent({ agent: 'steps-2', name, ingress })
  for (const id of ['old', 'new']) {
    const run = steps.start('x'.repeat(20_000), { id })
    await run.settled
    await run.say('More.')
    await expect.poll(() => run.state.signal).toBeTruthy()
  }
  const log = await journal.read('old')
  const below = (event: Event): Event =>
    event.type === 'started'
      ? { ...event, runId: 'old/1/tool/0', parent: { runId: 'old', key: '1/tool/0', depth: 1 } }
      : event
  await journal.append('old/1/tool/0', log.map(below))
  const { updatedAt: now } = (await journal.list())[0] ?? { updatedAt: 0 }
  await journal.append('old/1/tool/1', log.map(below))

  expect(await prune(journal, { keep: 1, now })).toEqual(['old'])
  expect((await journal.list()).map(({ runId }) => runId)).toEqual(['new'])
  const state = `SELECT DISTINCT service_name AS of, key FROM state WHERE starts_with(service_name, '${name}')`
  const left = async (): Promise<unknown> =>
    (await query(admin, `${state} AND starts_with(service_key, 'old') ORDER BY 1, 2`)).json()
  await expect.poll(left).toEqual({ rows: [{ of: 'pruned-log', key: 'head' }] })
  const kept = `SELECT id FROM sys_invocation WHERE starts_with(target_service_name, '${name}') AND status = 'completed'`
  expect(await (await query(admin, kept)).json()).toEqual({ rows: [] })
})
