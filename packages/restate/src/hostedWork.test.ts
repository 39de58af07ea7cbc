import { agent, localHost } from '@interleave/core'
import { Failures, ownerAndId } from '@interleave/server/internal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { HostedWork } from './hostedWork.ts'
import { noHead } from './logObject.ts'
import { serviceNames } from './sdk.ts'

it('tells its developers of failed runs, and knows the context of their users', async () => {
  const lines: string[] = []
  const seen: unknown[] = []
  const guide = agent({
    name: 'guide',
    model: scriptedModel(new Error('401 of the provider')),
    instructions(_, { context }) {
      seen.push(context)
      return 'Help.'
    },
  })
  const hosted = new HostedWork({
    agents: new Map([['guide', guide]]),
    names: serviceNames('interleave'),
    limits: { turns: 9, ms: 60_000, lingerMs: 1, effectMs: 60_000 },
    host: localHost,
    ingress: () => new Promise(() => {}),
    onLive: undefined,
    onFault() {},
    failures: new Failures({ log: (line) => lines.push(line) }),
    contextOf: (kept) => ({ user: ownerAndId(kept)[0] }),
  })
  const executing = hosted.recordRun({
    ...{ runId: 'ada/run-1', head: noHead, recorded: [], abortSignal: new AbortController().signal },
    start: { type: 'start', agent: 'guide', input: 'Go' },
  })
  for (let isOver = false; !isOver; executing.confirmRecorded()) isOver = Boolean((await executing.next()).end)
  executing.close()

  expect(seen).toEqual([{ user: 'ada' }])
  expect(lines).toEqual([expect.stringContaining('failed in run run-1 of "guide" (model_failed): 401 of the provider')])
})
