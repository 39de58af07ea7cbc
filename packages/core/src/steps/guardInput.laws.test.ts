import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agent, type Run, reasonAct, type UserContent } from '../index.ts'
import { savedRun } from '../journal/index.ts'
import { guardInput } from './guard.ts'
import { allow, block, type Check } from './verdict.ts'

/** Waits for this many rounds of resolved promises. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await Promise.resolve()
}
function made(parallel: boolean, speeds: readonly number[]) {
  let asked = 0
  const pause = () => rounds(speeds[asked++ % speeds.length] ?? 0)
  const noBad: Check<UserContent, never> = async (content) => {
    await pause()
    return String(content).startsWith('bad') ? block('Bad.') : allow
  }
  const answer: ScriptedTurn = async () => pause().then(() => 'Answer.')
  const model = scriptedModel(...Array.from({ length: 100 }, () => answer))
  const backend = reasonAct({ limits: { iterations: 90 }, before: [guardInput(noBad, { parallel })] })
  return { model, guarded: agent({ name: 'a', model, backend }) }
}
const actions = fc.array(
  fc.record({ act: fc.constantFrom('good', 'bad', 'stop', 'resume', 'reload'), after: fc.nat({ max: 30 }) }),
  { maxLength: 8 },
)
const usersOf = ({ calls }: ReturnType<typeof scriptedModel>, index: number) =>
  calls
    .at(index)
    ?.prompt.flatMap(({ role, content }) =>
      role === 'user'
        ? content.flatMap((part) => (part.type === 'text' && part.text !== 'Go on.' ? [part.text] : []))
        : [],
    ) ?? []

it.each([false, true])(
  'never gives the model a blocked message, and every other once (parallel: %s)',
  async (parallel) => {
    const speeds = fc.array(fc.nat({ max: 25 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(actions, speeds, async (script, pace) => {
        const { model, guarded } = made(parallel, pace)
        const said = ['good 0']
        let run: Run<string> = guarded.start('good 0', { observers: [laws()] })
        for (const [index, { act, after }] of script.entries()) {
          await rounds(after)
          if (act === 'good' || act === 'bad') await run.say(`${act} ${said.push(`${act} ${index}`) && index}`)
          if (act === 'stop') await run.stop()
          if (act === 'resume' && ['failed', 'stopped'].includes(run.state.signal?.type ?? '')) run.resume()
          if (act === 'reload') {
            const log = JSON.parse(JSON.stringify(run.log))
            await run.stop()
            run = await guarded.resume(savedRun(log), { observers: [laws(log)] })
          }
        }
        await run.say('good last')
        said.push('good last')
        for (let signal = await run.settled; signal.type !== 'answer'; signal = await run.settled) run.resume()

        const received = model.calls.map((_, index) => usersOf(model, index))
        if (!parallel) expect(received.flat().filter((text) => text.startsWith('bad'))).toEqual([])
        expect(usersOf(model, -1)).toEqual(said.filter((text) => text.startsWith('good')))
      }),
      { numRuns: 100 },
    )
  },
)
