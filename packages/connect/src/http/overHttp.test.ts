import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { runNames } from '@interleave/server/internal'
import { nodeListener } from '@interleave/server/node'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { manualModel } from '@interleave/test-kit/manualModel'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import type { RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { afterAll, describe, expect, it } from 'vitest'
import { remoteAgent, remoteJournal } from './index.ts'

afterAll(closeServers)

it('follows a run over HTTP, and over the death of its server', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  const handler = () => nodeListener(openHandler([agent({ name: 'a', model })], { journal: inAnotherProcess(journal) }))
  const first = await listen(handler())
  const run = remoteAgent({ url: first.url, name: 'a', headers: { authorization: 'ada' } }).start('Go')
  await model.called(1)
  model.say('Half of it')
  await expect.poll(() => run.state.draft?.text).toBe('Half of it')

  await first.close()
  const second = await listen(handler(), first.port)
  await model.called(2)
  model.say('All of it.')
  model.end()
  await untilSettled(run, 'answer')

  expect(run.state.signal).toMatchObject({ output: 'All of it.' })
  expect(run.log).toEqual(runNames('ada').show(await journal.read(`ada/${run.id}`)))
  run.close()
  await second.close()
})

it('ends the stream at the server when its reader is gone', async () => {
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })], { limits: { streams: 1 } })
  const { url, close } = await listen(nodeListener(handler))
  const guide = remoteAgent({ url, name: 'a', headers: { authorization: 'ada' } })
  const run = guide.start('Go')
  await model.called(1)
  await expect.poll(() => run.state.seq).toBe(2)

  run.close()
  const again = await guide.resume(run.id)
  model.say('Done.')
  model.end()
  await untilSettled(again, 'answer')

  again.close()
  await close()
})

async function onAServer(): Promise<RunPlace> {
  const { url, close } = await listen(nodeListener(openHandler(runSuiteAgents(), { limits: { requests: 100_000 } })))
  const server = { url, headers: { authorization: 'ada' } }
  return {
    open: (name, options = {}) => remoteAgent({ ...server, ...(options as object), name }),
    journal: remoteJournal(server),
    differences: ['noHistory', 'ownsWords'],
    close,
  }
}

describe('on a server', () => {
  for (const { name, run } of runSuite(onAServer)) it(name, run)
})
