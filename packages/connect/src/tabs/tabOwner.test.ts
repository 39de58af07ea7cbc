import { agent, localHost } from '@interleave/core'
import { Feed, initialState } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { TabOwner } from './tabOwner.ts'

it('ends a run that is there only when the tab has left it', async () => {
  const run = agent({ name: 'a', model: scriptedModel(() => new Promise(() => {})) }).start('Go')
  const owner = new TabOwner({
    id: run.id,
    feed: new Feed({ state: initialState, log: [] }),
    journal: memoryJournal(),
    host: localHost,
    takeoverAfterMs: 100,
    post() {},
    onConflict() {},
  })

  const going = owner.resumeRun(
    async () => run,
    async () => {},
  )
  owner.leaveRun()

  await expect(going).rejects.toMatchObject({ code: 'journal_conflict' })
  expect(await run.settled).toMatchObject({ type: 'stopped' })
})
