import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type Ask, agent, approval, confirm, isAgentError, type RunState, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs, type RemoteRun } from './index.ts'

const takeoverAfterMs = 400
type Act = 'open' | 'kill' | 'freeze' | 'thaw' | 'say' | 'reply' | 'stop' | 'resume' | 'close' | 'advance' | 'work'
const act = fc.tuple(
  fc.constantFrom<Act[]>(
    'open',
    'kill',
    'freeze',
    'thaw',
    'say',
    'reply',
    'stop',
    'resume',
    'close',
    'advance',
    'work',
  ),
  fc.nat(4),
  fc.nat(15),
)
const inputSchema = z.object({})
const replyTo = ({ kind }: Ask): unknown =>
  kind === 'choice' ? 'skip' : kind === 'extension' ? { extend: 5 } : kind === 'approval' ? { approved: true } : true

/** Returns the next turn from the calls so far, so that every tab's model continues where another one stopped. */
const turn = ({ prompt }: { readonly prompt: LanguageModelV4Prompt }): ScriptedTurn => {
  const names = ['charge', 'ask', 'charge', 'approved']
  const done = resultsIn(prompt)
  return done < names.length ? { calls: [{ name: names[done] ?? '', input: {} }] } : 'Done.'
}
const resultsIn = (prompt: LanguageModelV4Prompt): number => prompt.filter(({ role }) => role === 'tool').length

function createUser(scheduler: fc.Scheduler, kept: Required<Journal>) {
  const host = manualHost()
  const { openTab } = fakeBrowser(kept, () => scheduler.schedule(Promise.resolve()))
  const charged: string[] = []
  const acknowledged: string[] = []
  const sayings: { readonly held: (typeof tabs)[number]; readonly text: string; isOver: boolean }[] = []
  const tabs: { readonly tab: FakeTab; run?: RemoteRun<string>; failure?: unknown }[] = []
  let said = 0

  const guideOf = (tab: FakeTab) => {
    const charge = async (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
      charged.push(idempotencyKey)
      await tab.wait()
      return 'charged'
    }
    const model = scriptedModel(
      ...Array.from(
        { length: 60 },
        (): ScriptedTurn => async (call) => {
          await tab.wait()
          return turn(call)
        },
      ),
    )
    const tools = {
      charge: tool({ inputSchema, execute: charge }),
      ask: tool({ inputSchema, execute: (_, run) => run.ask(confirm({ prompt: 'Sure?' })) }),
      approved: tool({ inputSchema, approve: approval(), execute: charge }),
    }
    return acrossTabs(agent({ name: 'a', model, tools }), {
      journal: tab.journal,
      origin: tab.origin,
      host,
      takeoverAfterMs,
    })
  }
  const acts: Record<Act, (which: number, amount: number) => unknown> = {
    open: () => {
      const tab = openTab()
      const held: (typeof tabs)[number] = { tab }
      tabs.push(held)
      if (tabs.length === 1) held.run = guideOf(tab).start('0', { id: 'r' })
      else {
        guideOf(tab)
          .resume('r')
          .then(
            (run) => Object.assign(held, { run }),
            (failure: unknown) => Object.assign(held, { failure }),
          )
      }
    },
    kill: (which) => tabs[which]?.tab.kill(),
    freeze: (which) => tabs[which]?.tab.freeze(),
    thaw: (which) => tabs[which]?.tab.thaw(),
    close: (which) => {
      const run = tabs[which]?.run
      run?.close()
      if (run) closed.add(run)
    },
    say: (which) => {
      const text = `${++said}`
      const held = tabs[which]
      if (!held?.run) return
      const saying = { held, text, isOver: false }
      sayings.push(saying)
      held.run
        .say(text)
        .then(
          () => acknowledged.push(text),
          () => {},
        )
        .finally(() => {
          saying.isOver = true
        })
    },
    reply: (which) => {
      const run = tabs[which]?.run
      const [ask] = run?.state.asks ?? []
      if (ask) run?.reply(ask.id, replyTo(ask)).catch(() => {})
    },
    stop: (which) => void tabs[which]?.run?.stop().catch(() => {}),
    resume: (which) => {
      try {
        const run = tabs[which]?.run
        if (isOpen(run)) run.resume()
      } catch (error) {
        if (!isAgentError(error)) throw error
      }
    },
    advance: (_, amount) => host.advance(amount * 20),
    work: async (_, amount) => {
      for (let each = 0; each < amount * 4 && scheduler.count() > 0; each++) await scheduler.waitOne()
    },
  }
  const thawAll = (): void => {
    for (const { tab } of tabs) tab.thaw()
  }
  /** Everything that is scheduled happens. */
  const settle = async (): Promise<void> => {
    for (let idle = 0; idle < 3; ) {
      if (scheduler.count() > 0) {
        await scheduler.waitOne()
        idle = 0
      } else {
        idle++
        await new Promise((resolve) => setTimeout(resolve))
      }
    }
  }
  return { acts, tabs, charged, acknowledged, sayings, thawAll, settle, host }
}

it('is one run in however many tabs, whatever becomes of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(act, { maxLength: 30 }), fc.boolean(), async (scheduler, plan, wakes) => {
      const kept = memoryJournal()
      const { acts, tabs, charged, acknowledged, sayings, thawAll, settle, host } = createUser(scheduler, kept)
      acts.open(0, 0)
      for (const [name, which, amount] of plan) {
        await acts[name](which, amount)
        await new Promise((resolve) => setTimeout(resolve))
      }
      if ((await kept.read('r')).length === 0) return
      acts.open(0, 0)
      if (wakes) thawAll()
      for (let round = 0; round < 12; round++) {
        await settle()
        await host.advance(takeoverAfterMs * 3)
        const last = tabs.length - 1
        const signal = tabs[last]?.run?.state.signal?.type
        if (signal === 'answer') break
        if (signal === 'stopped' || signal === 'failed') acts.resume(last, 0)
        else acts.reply(last, 0)
      }
      thawAll()
      await settle()

      const log = await kept.read('r')
      const whole = fold(log)
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
      expect(log.at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer', output: 'Done.' } })
      expect(charged).toEqual([...new Set(charged)])
      expect(textsOf(whole)).toEqual([...new Set(textsOf(whole))])
      expect(textsOf(whole)).toEqual(expect.arrayContaining(acknowledged))
      for (const { tab, run } of tabs) if (tab.isAlive && isOpen(run)) expect(plain(run.state)).toEqual(plain(whole))
      // A run that rests may have no owner.
      const owners = tabs.filter(({ tab, run }) => tab.isAlive && run?.owner === 'here' && isOpen(run))
      expect(owners.length).toBeLessThanOrEqual(1)
      expect(sayings.filter(({ held, isOver }) => held.tab.isAlive && !isOver)).toEqual([])
      for (const { run } of tabs) run?.close()
    }),
    { numRuns: 200, timeout: 30_000 },
  )
})

const textsOf = ({ history, pending }: RunState): string[] =>
  [...history.flat(), ...pending].flatMap((entry) =>
    entry.type === 'said' && entry.by === 'user' ? [String(entry.content)] : [],
  )
const plain = ({ draft: _, ...state }: RunState): unknown => JSON.parse(JSON.stringify(state))
const isOpen = (run: RemoteRun<string> | undefined): run is RemoteRun<string> => run !== undefined && !closed.has(run)
const closed = new WeakSet<RemoteRun<string>>()
