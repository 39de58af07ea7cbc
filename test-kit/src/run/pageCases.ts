import { deferred } from '@interleave/core/internal'
import { equal, refuses } from '@interleave/testing/internal'
import { holds, openAsk, type RunCases, settled, untilSettled } from './runCase.ts'

/** Tools that need the page, wherever their run works. */
export const pageCases: RunCases = {
  async 'has a page perform what only a page can, with the input that was checked'({ open }) {
    const seen: unknown[] = []
    const mark = (input: never, { runId }: { runId: string }): number => {
      seen.push([input, runId])
      return 7
    }
    const run = open('marker', { tools: { mark } }).start('Go')
    await untilSettled(run, 'answer')
    equal((await settled(run, 'answer')).output, 'Got {"type":"json","value":7}')
    equal(seen, [[{ text: 'this' }, run.id]])
  },

  async 'tells the model what goes wrong there, and what does not fit'({ open }) {
    const fails = (): never => {
      throw new Error('No such text.')
    }
    const run = open('marker', { tools: { mark: fails } }).start('Go')
    await untilSettled(run, 'answer')
    holds(String((await settled(run, 'answer')).output).includes('No such text.'), 'the error is told')
    const other = open('marker', { tools: { mark: () => 'seven' } }).start('Go')
    await untilSettled(other, 'answer')
    holds(String((await settled(other, 'answer')).output).includes('output schema'), 'the invalid output is told')
  },

  async 'waits with a question for a page that can, and goes on without one if a person says so'({ open }) {
    const run = open('marker').start('Go')
    const { asks } = await settled(run, 'inputNeeded')
    equal([asks[0].id, asks[0].kind], ['1/tool/0/ask/page', 'choice'])
    await refuses(() => run.reply(openAsk(run), 'wait'), 'reply_invalid')
    await run.reply(openAsk(run), 'skip')
    await untilSettled(run, 'answer')
    holds(String((await settled(run, 'answer')).output).includes('without'), 'the model is told')
  },

  async 'goes on when a page comes that can'({ open, differences = [] }) {
    if (differences.includes('takesOver')) return
    const run = open('marker').start('Go')
    await settled(run, 'inputNeeded')
    const other = await open('marker', { tools: { mark: () => 1 } }).resume(run.id)
    await untilSettled(other, 'answer')
    equal((await settled(other, 'answer')).output, 'Got {"type":"json","value":1}')
  },

  async 'aborts in the page what is stopped'({ open }) {
    const begun = deferred<void>()
    const aborted = deferred<void>()
    const mark = (_: never, { abortSignal }: { abortSignal: AbortSignal }): Promise<never> => {
      begun.resolve()
      return new Promise((_resolve, reject) =>
        abortSignal.addEventListener('abort', () => {
          aborted.resolve()
          reject(abortSignal.reason)
        }),
      )
    }
    const run = open('marker', { tools: { mark } }).start('Go')
    await begun.promise
    await run.stop()
    await settled(run, 'stopped')
    await aborted.promise
  },
}
