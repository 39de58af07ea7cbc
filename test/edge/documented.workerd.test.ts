import path from 'node:path'
import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import type { Agent } from '@interleave/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moduleNamed, writeModules } from '../docs/modules.ts'
import { bundleWorker } from './bundleWorker.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

let workerd: Workerd

beforeAll(async () => {
  const file = path.join(writeModules('edge'), moduleNamed('docs/edge.md 1').path)
  workerd = await startWorkerd({
    code: await bundleWorker(path.relative(import.meta.dirname, file)),
    objects: { RUNS: 'RunObject', USERS: 'UserObject' },
    texts: { SECRET: 'a secret of at least 32 bytes, for tests' },
  })
})

afterAll(() => workerd?.end())

it('serves runs with the program of the page', async () => {
  const ofUser = { url: workerd.url, headers: { authorization: 'ada' } }
  const run = remoteAgent<Agent<string>>({ ...ofUser, name: 'guide' }).start('What is open on Monday?')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'The National Museum is open on Monday.' })
  expect((await remoteJournal(ofUser).list()).map(({ runId }) => runId)).toEqual([run.id])
  expect((await fetch(`${workerd.url}/v1/runs`)).status).toBe(401)
})
