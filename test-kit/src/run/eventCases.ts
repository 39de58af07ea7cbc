import type { AnyEvent } from '@interleave/core/observe'
import { eventsOf, isKept, observe } from '@interleave/core/observe'
import { equal } from '@interleave/testing/internal'
import { holds, keptOf, listOf, type RunCases, settled, until } from './runCase.ts'

/** Cases about the events of a run. */
export const eventCases: RunCases = {
  async 'tells each event once and in order, from the first one or any other'({ open }) {
    const run = open('cashier').start('Go')
    await settled(run, 'inputNeeded')
    const all = await keptOf(run)
    equal(
      all.map(({ seq }) => seq),
      all.map((_, index) => index),
    )
    for (const from of all.keys()) equal(await keptOf(run, { from }), all.slice(from))
    equal(await keptOf(run, { from: 1_000 }), [])
  },

  async 'keeps just what it tells'({ open, journal }) {
    const run = open('echo').start('Hello')
    await settled(run, 'answer')
    equal(await journal.read(run.id), await keptOf(run))
  },

  async 'streams the text of a turn before it is kept'({ open }) {
    const received: AnyEvent[] = []
    const observers = [(event: AnyEvent) => void received.push(event)]
    const run = open('endless').start('Go', { observers })
    await until(run, ({ draft }) => draft?.text.startsWith('0 1 2 3 '))
    await run.stop()
    await settled(run, 'stopped')
    await pause()
    const turn = received.findIndex(({ type }) => type === 'thought')
    const before = received.slice(0, turn)
    holds(
      before.some(({ type }) => type === 'thinking'),
      'a turn says that it begins',
    )
    const deltas = before.flatMap((event) => (event.type === 'delta' && event.kind === 'text' ? [event.delta] : []))
    const thought = received[turn]
    const [part] = thought?.type === 'thought' ? thought.parts : []
    const isSame = deltas.length > 1 && part?.type === 'text' && part.text.startsWith(deltas.join(''))
    holds(isSame, `${JSON.stringify(part)} is what was told: ${deltas}`)
  },

  async 'has the draft of a turn in its state, for as long as that streams'({ open }) {
    const run = open('endless').start('Go')
    await until(run, ({ draft }) => draft?.text.startsWith('0 1 2 '))
    await run.stop()
    await settled(run, 'stopped')
    holds(run.state.draft === undefined, 'no draft is left')
  },

  async 'has the state that its listeners are told with each event'({ open }) {
    const run = open('echo').start('Hello')
    let wrong = 0
    run.subscribe((event, state) => {
      if (state !== run.state || (isKept(event) && state.seq !== event.seq + 1)) wrong++
    })
    await settled(run, 'answer')
    equal(wrong, 0)
  },

  async 'ends its events at a rest, and follows over it where it is asked to'({ open }) {
    const run = open('echo').start('One')
    await settled(run, 'answer')
    const signals: string[] = []
    for await (const event of eventsOf(run, { follow: true })) {
      if (event.type !== 'settled') continue
      signals.push(event.signal.type === 'answer' ? String(event.signal.output) : '')
      if (signals.length === 2) break
      await run.say('Two')
    }
    equal(signals, ['Heard: One', 'Heard: One | Two'])
  },

  async 'calls an observer that comes later, and no more once it is called off'({ open }) {
    const run = open('echo').start('One')
    await settled(run, 'answer')
    let count = 0
    const leave = observe(run, { onFinish: () => count++ })
    await run.say('Two')
    await settled(run, 'answer')
    await pause()
    leave()
    await run.say('Three')
    await settled(run, 'answer')
    await pause()
    equal(count, 1)
  },

  async 'tells no thoughts by events, of an agent that does not expose them'({ open }) {
    const run = open('thinker').start('Go')
    await settled(run, 'answer')
    const told = JSON.stringify(await listOf(run))
    holds(!told.includes('Hm.') && told.includes('Well.'), 'the answer is told, and the thought is not')
  },
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
