import { fork } from '@interleave/core/journal'
import { equal, refuses } from '@interleave/testing/internal'
import { closeOf, keptOf, newId, type RunCases, settled } from './runCase.ts'

/** Cases about stored runs. */
export const keptCases: RunCases = {
  async 'is listed with how it began, and with what it rests'({ open, journal }) {
    const run = open('echo').start('Hello')
    await settled(run, 'answer')
    const other = open('asker').start('confirm')
    await settled(other, 'inputNeeded')
    const listed = await journal.list({ agent: 'echo' })
    equal(
      listed.map(({ runId, agent, title, signal, events }) => [runId, agent, title, signal, events]),
      [[run.id, 'echo', 'Hello', 'answer', run.state.seq]],
    )
    equal((await journal.list()).length, 2)
    equal((await journal.list({ limit: 1 })).length, 1)
    const [latest] = await journal.list({ limit: 1 })
    equal((await journal.list({ limit: 5, ...(latest && { before: latest }) })).length, 1)
  },

  async 'is read from the journal, also from a place on'({ open, journal }) {
    const run = open('echo').start('Hello')
    await settled(run, 'answer')
    equal(await journal.read(run.id, 2), (await keptOf(run)).slice(2))
    equal(await journal.read(newId()), [])
  },

  async 'is gone when it is deleted after everybody let go of it'({ open, journal }) {
    const run = open('echo').start('Hello')
    await settled(run, 'answer')
    closeOf(run)?.()
    // A host may learn of it a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await journal.delete(run.id)
    await journal.delete(run.id)
    equal(await journal.list(), [])
    await refuses(() => open('echo').resume(run.id), 'run_unknown')
  },

  async 'is forked from any place with other words, and stays as it is'({ open, journal }) {
    const run = open('echo').start('One')
    await settled(run, 'answer')
    await run.say('Two')
    await settled(run, 'answer')
    const before = await journal.read(run.id)
    const at = before.findLastIndex(({ type }) => type === 'said')
    const id = newId()
    const forked = await fork(open('echo'), run.id, { journal, at, id, edit: { content: 'Three' } })
    equal(forked.id, id)
    equal((await settled(forked, 'answer')).output, 'Heard: One | Three')
    const [started] = await keptOf(forked)
    equal(started?.type === 'started' && started.forkedFrom, { runId: run.id, seq: at })
    equal(await journal.read(run.id), before)
  },

  async 'is forked with another observation, where its place allows it'({ open, journal, differences = [] }) {
    const run = open('limited').start('Go')
    await settled(run, 'limitReached')
    const at = (await journal.read(run.id)).findLastIndex(({ type }) => type === 'observed')
    const make = () => fork(open('limited'), run.id, { journal, at, edit: { output: 'Nothing.' } })
    if (differences.includes('ownsWords')) return refuses(make, 'options_invalid')
    const forked = await make()
    await settled(forked, 'limitReached')
    const observed = (await keptOf(forked)).find((event) => event.type === 'observed')
    equal(observed?.type === 'observed' && observed.output, 'Nothing.')
  },
}
