import type { AgentHandle } from '@interleave/core'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'

const id = 'run-of-22-characters-0'

/** A run that works elsewhere, and one of several servers before it. */
async function setUp() {
  const journal = memoryJournal()
  const guide = agent({ name: 'a', model: scriptedModel('Done.') })
  await guide.start('Go', { id: `ada/${id}`, journal }).settled
  const opened: string[] = []
  const handle: AgentHandle = {
    name: 'a',
    start: guide.start,
    resume(runId) {
      opened.push(runId)
      return guide.resume(runId, { journal })
    },
  }
  return { opened, handler: openHandler([handle], { journal }) }
}

it('follows a run that works elsewhere once a client is there that performs tools of it', async () => {
  const { opened, handler } = await setUp()

  await call(handler, `runs/${id}/events?follow=false`)
  const before = [...opened]
  await call(handler, `runs/${id}/events?follow=false&client=c&tools=mark`)

  expect([before, opened]).toEqual([[], [`ada/${id}`]])
})
