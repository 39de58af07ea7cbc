import { observer } from '@interleave/core/observe'
import { equal, refuses } from '@interleave/testing/internal'
import { holds, keptOf, newId, type RunCases, settled } from './runCase.ts'

/** Cases about runs that start and come to an answer. */
export const startCases: RunCases = {
  async 'begins at once, and settles with the answer'({ open }) {
    const run = open('echo').start('Hello')
    holds(typeof run.id === 'string' && run.id !== '', 'a run has an id from the start')
    const signal = await settled(run, 'answer')
    equal(signal, { type: 'answer', output: 'Heard: Hello', reason: 'text' })
    equal(await run.settled, signal)
    equal(run.state.signal, signal)
    equal([run.state.runId, run.state.agent], [run.id, 'echo'])
  },

  async 'has the id that it is given'({ open }) {
    const id = newId()
    const run = open('echo').start('Hello', { id })
    equal(run.id, id)
    await settled(run, 'answer')
    equal(run.state.runId, id)
  },

  async 'takes files, and keeps them as they are'({ open, journal }) {
    const file = {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: new Uint8Array([1, 2, 250]) },
    } as const
    const run = open('echo').start([{ type: 'text', text: 'Look' }, file])
    await settled(run, 'answer')
    const said = (await journal.read(run.id)).find((event) => event.type === 'said')
    equal(
      said,
      (await keptOf(run)).find((event) => event.type === 'said'),
    )
    holds(said?.type === 'said' && said.content.length === 2, 'the message has a text and a file')
  },

  async 'refuses to begin with nothing'({ open }) {
    await refuses(async () => open('echo').start(''), 'options_invalid')
  },

  async 'gives an answer of the type that the agent has'({ open }) {
    const signal = await settled(open('typed').start('1 + 2'), 'answer')
    equal(signal.output, { sum: 3 })
  },

  async 'begins with messages that went before'({ open, differences = [] }) {
    const history = [{ role: 'user', content: [{ type: 'text', text: 'Before' }] }] as const
    const run = open('echo').start('Hello', { history: structuredClone(history) as never })
    if (differences.includes('noHistory')) {
      equal((await settled(run, 'failed')).error.code, 'options_invalid')
    } else {
      equal((await settled(run, 'answer')).output, 'Heard: Before | Hello')
    }
  },

  async 'leaves a run alone when another one is begun with its id'({ open, journal }) {
    const id = newId()
    await settled(open('echo').start('Hello', { id }), 'answer')
    const before = await journal.read(id)
    const other = open('echo').start('Other', { id })
    equal((await settled(other, 'failed')).error.code, 'journal_conflict')
    equal(await journal.read(id), before)
  },

  async 'calls observers that are there from the start, in order'({ open }) {
    const seen: string[] = []
    const note = (what: string) => () => void seen.push(what)
    const hooks = {
      onStart: note('start'),
      onIterationStart: (iteration: number) => seen.push(`turn ${iteration}`),
      onThought: note('thought'),
      onAction: note('action'),
      onAsk: note('ask'),
      onReply: note('reply'),
      onObservation: note('observation'),
      onIterationEnd: (iteration: number) => seen.push(`end of ${iteration}`),
      onSignal: ({ type }: { type: string }) => seen.push(type),
      onFinish: note('finish'),
    }
    const run = open('asker').start('confirm', { observers: [observer(hooks)] })
    const { asks } = await settled(run, 'inputNeeded')
    await run.reply(asks[0].id, true)
    await settled(run, 'answer')
    await new Promise((resolve) => setTimeout(resolve, 20))
    equal(seen.join(', '), observed)
  },
}

const observed =
  'start, turn 1, thought, action, ask, inputNeeded, reply, observation, end of 1, turn 2, thought, end of 2, answer, finish'
