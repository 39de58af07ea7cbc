import { agent, type Run } from '@interleave/core'
import { connectPages, type OpenPage } from '@interleave/test-kit/connectPages'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { clientTool, workerHost } from './index.ts'

const inputSchema = z.object({})
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A run of three turns with two calls each, whose pages die at the given times. */
async function play(deaths: readonly number[]) {
  const calls = ['pay', 'mark'].map((name) => ({ name, input: {} }))
  const turn: ScriptedTurn = ({ prompt }) =>
    prompt.filter(({ role }) => role === 'assistant').length < 3 ? { calls } : 'Done.'
  const model = scriptedModel(...Array.from({ length: 9 }, () => turn))
  const tools = {
    pay: clientTool({ inputSchema, effect: 'atMostOnce' }),
    mark: clientTool({ inputSchema, effect: 'idempotent' }),
  }
  const pages = connectPages(workerHost([agent({ name: 'a', model, tools })]))
  const performed: string[] = []
  const perform =
    (name: string) =>
    async (_: never, { idempotencyKey }: { idempotencyKey: string }) => {
      performed.push(`${name} ${idempotencyKey}`)
      await pause(3)
      return 'done'
    }
  const open = (): OpenPage => pages.open('a', { tools: { pay: perform('pay'), mark: perform('mark') } })

  let page = open()
  let run: Run = page.agent.start('Go')
  for (const ms of deaths) {
    await pause(ms)
    const next = open()
    if (run.state.seq > 0) run = await next.agent.resume(run.id)
    else continue
    page.kill()
    page = next
  }
  await answerAll(run)
  return { run, performed }
}

/** Answers all questions. The user says of an interrupted call that it ran. */
async function answerAll(run: Run): Promise<void> {
  for (;;) {
    const { type } = await run.settled
    const [ask] = run.state.asks
    if (type !== 'inputNeeded') return
    if (ask) await run.reply(ask.id, 'done').catch(() => {})
  }
}

it('loses no call and doubles none that may not happen twice, whenever pages die', async () => {
  const times = fc.array(fc.nat({ max: 12 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(times, async (deaths) => {
      const { run, performed } = await play(deaths)

      const payments = performed.filter((what) => what.startsWith('pay'))
      expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Done.' })
      expect(payments).toHaveLength(new Set(payments).size)
      expect(new Set(performed.filter((what) => what.startsWith('mark'))).size).toBe(3)
    }),
    { numRuns: 25 },
  )
})
