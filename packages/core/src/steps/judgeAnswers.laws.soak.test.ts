import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agent, finalAnswer, type Run, reasonAct, textAnswer } from '../index.ts'
import { savedRun } from '../journal/index.ts'
import { inOrder } from '../step.ts'
import { guardOutput, validate } from './judgeAnswers.ts'
import { allow, block } from './verdict.ts'

/** Waits for this many rounds of resolved promises. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await Promise.resolve()
}
/** Every call has one result, right behind it. Providers refuse anything else. */
function expectPairs(prompt: LanguageModelV4Prompt): void {
  for (const [index, { role, content }] of prompt.entries()) {
    if (role !== 'assistant') continue
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    const next = prompt[index + 1]
    const results = next?.role === 'tool' ? next.content.map((part) => 'toolCallId' in part && part.toolCallId) : []
    expect(results).toEqual(calls)
  }
}
type Replies = { readonly good: boolean; readonly called: boolean; readonly pause: number }[]
type Script = { readonly act: 'say' | 'stop' | 'resume' | 'reload'; readonly after: number }[]

const answers: fc.Arbitrary<Replies> = fc.array(
  fc.record({ good: fc.boolean(), called: fc.boolean(), pause: fc.nat({ max: 15 }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
)
const actions: fc.Arbitrary<Script> = fc.array(
  fc.record({
    act: fc.constantFrom<Script[number]['act'][]>('say', 'stop', 'resume', 'reload'),
    after: fc.nat({ max: 40 }),
  }),
  { maxLength: 6 },
)

/**
 * The page closes after an answer was sent back, and before its calls have the observation; then the user sends a
 * message.
 */
const sentBackAndNotTold: [Replies, Script] = [
  [
    { good: false, called: false, pause: 0 },
    { good: false, called: true, pause: 4 },
    { good: false, called: false, pause: 0 },
  ],
  [
    { act: 'reload', after: 0 },
    { act: 'say', after: 3 },
    { act: 'resume', after: 36 },
    { act: 'reload', after: 2 },
  ],
]

it('ends with no answer that was not accepted, whatever happens meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(answers, actions, async (replies, script) => {
      let asked = 0
      const think: ScriptedTurn = async ({ prompt }) => {
        expectPairs(prompt)
        const { good, called, pause } = replies[asked++ % replies.length] ?? { good: true, called: true, pause: 0 }
        await rounds(pause)
        const answer = good || asked > 40 ? `good ${asked}` : `bad ${asked}`
        return called ? { calls: [1, 2].map(() => ({ name: 'final_answer', input: { answer } })) } : answer
      }
      const slowly = async (answer: string) => rounds(answer.length).then(() => answer.startsWith('good'))
      const guarded = guardOutput<string>(
        inOrder(finalAnswer(), textAnswer()),
        async (answer) => ((await slowly(answer)) ? allow : block('Bad.')),
        { attempts: 1 },
      )
      const stop = validate<string>(guarded, async (answer) => ((await slowly(answer)) ? undefined : 'Bad.'))
      const model = scriptedModel(...Array.from({ length: 100 }, () => think))
      const a = agent({ name: 'a', model, backend: reasonAct({ stop, limits: { iterations: 90 } }) })

      let run: Run<string> = a.start('Go', { observers: [laws()] })
      for (const { act, after } of script) {
        await rounds(after)
        if (act === 'say') await run.say('More')
        if (act === 'stop') await run.stop()
        if (act === 'resume' && ['failed', 'stopped'].includes(run.state.signal?.type ?? '')) run.resume()
        if (act === 'reload') {
          const log = JSON.parse(JSON.stringify(run.log))
          await run.stop()
          run = await a.resume(savedRun(log), { observers: [laws(log)] })
        }
      }
      let signal = await run.settled
      for (let tries = 0; signal.type !== 'answer'; signal = await run.settled) {
        expect(tries++).toBeLessThan(60)
        run.resume()
      }

      expect(signal.output).toMatch(/^good/)
    }),
    { numRuns: 50, examples: [sentBackAndNotTold] },
  )
})
