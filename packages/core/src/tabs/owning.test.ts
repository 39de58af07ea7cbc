import { expect, it } from 'vitest'
import { createFeed } from '../feed.ts'
import { localHost } from '../host.ts'
import { agent } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { initialState } from '../state.ts'
import { scriptedModel } from '../testing/index.ts'
import { createOwning } from './owning.ts'

it('ends a run that is there only when the tab has left it', async () => {
  const run = agent({ name: 'a', model: scriptedModel(() => new Promise(() => {})) }).start('Go')
  const owning = createOwning({
    id: run.id,
    feed: createFeed({ state: initialState, events: [] }),
    journal: memoryJournal(),
    host: localHost,
    takeoverAfterMs: 100,
    post() {},
    onConflict() {},
  })

  const going = owning.goOn(
    async () => run,
    async () => {},
  )
  owning.leave()

  await expect(going).rejects.toMatchObject({ code: 'journal_conflict' })
  expect(await run.settled).toMatchObject({ type: 'stopped' })
})
