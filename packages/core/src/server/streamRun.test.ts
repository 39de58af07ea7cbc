import { expect, it } from 'vitest'
import { agent } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import type { AgentHandle } from '../run.ts'
import { call, openHandler } from '../testing/handlerCalls.ts'
import { scriptedModel } from '../testing/index.ts'

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
