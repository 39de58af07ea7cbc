import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import type { Handler } from '@interleave/server'
import { runNames } from '@interleave/server/internal'
import { nodeListener } from '@interleave/server/node'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { manualModel } from '@interleave/test-kit/manualModel'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import type { RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { untilRest } from '@interleave/test-kit/untilRest'
import { afterAll, describe, expect, it } from 'vitest'
import { remoteAgent, remoteJournal } from './index.ts'

const servers: Server[] = []
async function listen(handler: Handler, port = 0): Promise<{ port: number; kill(): Promise<void> }> {
  const server = createServer(nodeListener(handler))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return {
    port: (server.address() as AddressInfo).port,
    kill() {
      const closed = close()
      server.closeAllConnections()
      return closed
    },
  }
}
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

it('follows a run over HTTP, and over the death of its server', async () => {
  const journal = memoryJournal()
  const model = manualModel()
  const serve = () => openHandler([agent({ name: 'a', model })], { journal })
  const first = await listen(serve())
  const url = `http://127.0.0.1:${first.port}`
  const run = remoteAgent({ url, name: 'a', headers: { authorization: 'ada' } }).start('Go')
  await model.called(1)
  model.say('Half of it')
  await expect.poll(() => run.state.draft?.text).toBe('Half of it')

  await first.kill()
  const second = await listen(serve(), first.port)
  await model.called(2)
  model.say('All of it.')
  model.end()
  await untilRest(run, 'answer')

  expect(run.state.rest).toMatchObject({ output: 'All of it.' })
  expect(run.log).toEqual(runNames('ada').show(await journal.read(`ada/${run.id}`)))
  run.close()
  await second.kill()
})

it('ends the stream at the server when its reader is gone', async () => {
  const model = manualModel()
  const handler = openHandler([agent({ name: 'a', model })], { limits: { streams: 1 } })
  const { port, kill } = await listen(handler)
  const guide = remoteAgent({ url: `http://127.0.0.1:${port}`, name: 'a', headers: { authorization: 'ada' } })
  const run = guide.start('Go')
  await model.called(1)
  await expect.poll(() => run.state.seq).toBe(2)

  run.close()
  const again = await guide.resume(run.id)
  model.say('Done.')
  model.end()
  await untilRest(again, 'answer')

  again.close()
  await kill()
})

async function onAServer(): Promise<RunPlace> {
  const { port, kill } = await listen(openHandler(runSuiteAgents(), { limits: { requests: 100_000 } }))
  const server = { url: `http://127.0.0.1:${port}`, headers: { authorization: 'ada' } }
  return {
    open: (name, options = {}) => remoteAgent({ ...server, ...(options as object), name }),
    journal: remoteJournal(server),
    differences: ['noHistory', 'ownsWords'],
    close: kill,
  }
}

describe('on a server', () => {
  for (const { name, run } of runSuite(onAServer)) it(name, run)
})
