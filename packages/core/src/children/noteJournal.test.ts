import { expect, it } from 'vitest'
import { fold } from '../changes/all.ts'
import type { Event, EventBody } from '../event.ts'
import type { RunContext } from '../run.ts'
import { noteJournal } from './child.ts'

const at = (seq: number, body: EventBody): Event => ({ seq, at: 0, iteration: 0, ...body })
const started = (runId: string): EventBody => ({ type: 'started', runId, agent: 'a', version: '1' })
const logOf = (runId: string, length: number): Event[] =>
  Array.from({ length }, (_, seq) => at(seq, seq === 0 ? started(runId) : { type: 'resumed' }))

/** Creates the part of a run that stores notes. */
function createRun(): RunContext {
  const events = [at(0, started('r'))]
  return {
    get state() {
      return fold(events)
    },
    emit: (body: EventBody) => void events.push(at(events.length, body)),
  } as RunContext
}

it('keeps the logs of the child runs in the notes of the run', async () => {
  const run = createRun()
  const journal = noteJournal(run, undefined)
  for (const id of ['r/a', 'r/a/b']) {
    await journal.append(id, logOf(id, 2))
    await journal.append(id, logOf(id, 12).slice(2))
  }

  expect(await noteJournal(run, undefined).read('r/a')).toEqual(logOf('r/a', 12))
  expect(await journal.read('r/a/b', 11)).toEqual(logOf('r/a/b', 12).slice(11))
})

it.each([0, 1, 3])('refuses events that begin at %i in a log of two', async (from) => {
  const run = createRun()
  const journal = noteJournal(run, undefined)
  await journal.append('r/a', logOf('r/a', 2))

  expect(() => journal.append('r/a', logOf('r/a', 4).slice(from))).toThrow(
    expect.objectContaining({ code: 'journal_conflict' }),
  )
  expect(await journal.read('r/a')).toEqual(logOf('r/a', 2))
})
