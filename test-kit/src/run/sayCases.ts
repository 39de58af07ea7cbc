import { equal, refuses } from '@interleave/testing/internal'
import { keptOf, newId, type RunCases, settled, until } from './runCase.ts'

/** Cases about messages of users. */
export const sayCases: RunCases = {
  async 'goes on when it is spoken to after an answer'({ open }) {
    const run = open('echo').start('One')
    await settled(run, 'answer')
    await run.say('Two')
    equal((await settled(run, 'answer')).output, 'Heard: One | Two')
  },

  async 'hears at the next turn what is said while it works'({ open }) {
    const run = open('held').start('One')
    await until(run, ({ seq }) => seq >= 2)
    await run.say('Two')
    equal((await settled(run, 'answer')).output, 'Heard: One | Two')
    equal((await keptOf(run)).filter(({ type }) => type === 'settled').length, 1)
  },

  async 'says a message once that has a key, however often it is said'({ open }) {
    const run = open('echo').start('One', { key: 'first' })
    await settled(run, 'answer')
    await run.say('One', { key: 'first' })
    await Promise.all([run.say('Two', { key: 'second' }), run.say('Two', { key: 'second' })])
    await settled(run, 'answer')
    await run.say('Two', { key: 'second' })
    equal((await settled(run, 'answer')).output, 'Heard: One | Two')
  },

  async 'has a message in the journal when it is said'({ open, journal }) {
    const run = open('echo').start('One')
    await settled(run, 'answer')
    const key = newId()
    await run.say('Two', { key })
    const kept = await journal.read(run.id)
    equal(kept.filter((event) => event.type === 'said' && event.key === key).length, 1)
    await settled(run, 'answer')
  },

  async 'replaces and withdraws a message that waits, and interrupts a turn for one'({ open, journal }) {
    const run = open('endless').start('Go')
    const waiting = () => run.state.pending.filter(({ seq }) => seq > run.state.request.seq)
    await until(run, ({ draft }) => draft?.text.startsWith('0 1 '))
    await run.say('Two')
    await run.say('Three', { replaces: waiting()[0]?.seq ?? -1 })
    equal(
      waiting().map(({ content }) => content),
      ['Three'],
    )
    await run.say('', { replaces: waiting()[0]?.seq ?? -1 })
    equal(waiting(), [])
    await refuses(() => run.say('Other', { replaces: run.state.request.seq }), 'run_busy')
    await run.say('Four', { now: true })
    await until(run, ({ iteration, draft }) => iteration === 1 && draft?.text.startsWith('0 1 '))
    const before = await journal.read(run.id)
    equal(before.filter(({ type }) => type === 'settled').length, 0)
    await run.stop()
    await settled(run, 'stopped')
    const said = run.state.history.flat().flatMap((entry) => (entry.type === 'said' ? [entry.content] : []))
    equal(said, ['Go', 'Four'])
  },

  async 'refuses to say nothing'({ open }) {
    const run = open('echo').start('One')
    await settled(run, 'answer')
    await refuses(() => run.say(''), 'options_invalid')
    equal(run.state.signal?.type, 'answer')
  },

  async 'is told what is said instead of an answer to its question'({ open }) {
    const run = open('asker').start('confirm')
    await settled(run, 'inputNeeded')
    await run.say('Never mind')
    await until(run, ({ history, pending }) =>
      [...history.flat(), ...pending].some((entry) => entry.type === 'said' && entry.content === 'Never mind'),
    )
  },
}
