import { equal, refuses } from '@interleave/testing/internal'
import { holds, keptOf, openAsk, type RunCases, settled, until } from './runCase.ts'

/** Cases about runs that pause, finish and resume. */
export const settledCases: RunCases = {
  async 'stops at once, and keeps what has arrived'({ open }) {
    const run = open('endless').start('Go')
    await until(run, ({ draft }) => draft?.text.startsWith('0 1 '))
    await run.stop('Enough.')
    equal(await settled(run, 'stopped'), { type: 'stopped', reason: 'Enough.' })
    const thought = (await keptOf(run)).find((event) => event.type === 'thought')
    const [part] = thought?.type === 'thought' ? thought.parts : []
    holds(part?.type === 'text' && part.text.startsWith('0 1 '), 'the text so far is kept')
  },

  async 'is stopped once, and stays so'({ open }) {
    const run = open('endless').start('Go')
    await until(run, ({ draft }) => draft)
    await Promise.all([run.stop('One.'), run.stop('Two.')])
    await settled(run, 'stopped')
    await run.stop('Three.')
    equal((await keptOf(run)).filter(({ type }) => type === 'settled').length, 1)
  },

  async 'goes on after a stop, by resume and by a message'({ open }) {
    const run = open('held').start('One')
    await until(run, ({ seq }) => seq >= 2)
    await run.stop()
    await settled(run, 'stopped')
    run.resume()
    await until(run, ({ signal }) => !signal)
    await run.stop()
    await settled(run, 'stopped')
    await run.say('Two')
    equal((await settled(run, 'answer')).output, 'Heard: One | Two')
  },

  async 'rests with what went wrong, and goes on from the same place by resume'({ open }) {
    const run = open('mending').start('Hello')
    const { error } = await settled(run, 'failed')
    // Clients of a server get the sentence of the code.
    equal([error.code, error.retryable], ['step_failed', true])
    run.resume()
    await until(run, ({ signal }) => signal?.type === 'answer')
    equal((await settled(run, 'answer')).output, 'Heard: Hello')
    equal(
      (await keptOf(run)).flatMap(({ type }) => (type === 'settled' || type === 'resumed' ? [type] : [])),
      ['settled', 'resumed', 'settled'],
    )
  },

  async 'says that a model failed, and goes on when it is spoken to'({ open }) {
    const run = open('broken').start('Hello')
    equal((await settled(run, 'failed')).error.code, 'model_failed')
    await run.say('Again')
    equal((await settled(run, 'answer')).output, 'It works.')
  },

  async 'is not resumed when it rests with an answer or a question'({ open }) {
    const run = open('echo').start('Hello')
    await settled(run, 'answer')
    await refuses(async () => run.resume(), 'run_busy')
    const other = open('asker').start('confirm')
    await settled(other, 'inputNeeded')
    await refuses(async () => other.resume(), 'run_busy')
  },

  async 'rests at a limit, and goes on when that is extended'({ open }) {
    const run = open('limited').start('Go')
    const { limit, used, allowed, ask } = await settled(run, 'limitReached')
    equal([limit, used, allowed, ask.kind], ['iterations', 1, 1, 'extension'])
    await refuses(() => run.reply(ask.id, { extend: -1 }), 'reply_invalid')
    await run.reply(ask.id, { extend: 3 })
    equal((await settled(run, 'answer')).output, 'Got {"type":"text","value":"Seen."}')
  },

  async 'ends at a limit, when a person wants it so'({ open }) {
    const run = open('limited').start('Go')
    await settled(run, 'limitReached')
    await run.reply(openAsk(run), { finish: true })
    await settled(run, 'stopped')
  },
}
