import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { recorder } from '../history/index.ts'
import { agent, type Run, tool } from '../index.ts'
import { exportRun, fork, importRun, type Journal, memoryJournal, type RunFile, savedRun } from './index.ts'

/** An agent above an agent that pays twice. The second payment never ends where nobody waits for it. */
function payer({ ends = true } = {}) {
  const paid: number[] = []
  const pay = tool({
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => {
      paid.push(n)
      return n === 1 || ends ? 'paid' : new Promise<string>(() => {})
    },
  })
  const turns = (...lines: readonly { calls: { name: string; input: object }[] }[]) =>
    scriptedModel(
      ...Array.from({ length: 9 }, () => ({ prompt }: { prompt: readonly { role: string }[] }) => {
        return lines[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Done.'
      }),
    )
  const call = (name: string, input: object) => ({ calls: [{ name, input }] })
  const clerk = agent({
    name: 'clerk',
    model: turns(call('pay', { n: 1 }), call('pay', { n: 2 })),
    tools: { pay },
  })
  const tools = { clerk: agentTool(clerk, { description: 'Pays.' }) }
  return { paid, agent: agent({ name: 'chief', model: turns(call('clerk', { task: 'Pay.' })), tools }) }
}

/** A run whose child has paid once, some time after the last event of the run, and is paying again. */
async function interrupted(journal?: Journal) {
  let time = 0
  const host = { ...manualHost(), now: () => ++time }
  const { agent: chief, paid } = payer({ ends: false })
  const log = recorder()
  const run = chief.start('Go', {
    id: 'r',
    host,
    observers: [log],
    ...(journal && { journal }),
  })
  await expect.poll(() => paid).toEqual([1, 2])
  return { run, log }
}

const asFile = (file: RunFile): RunFile => JSON.parse(JSON.stringify(file))

async function imported(file: RunFile, { agent: chief }: ReturnType<typeof payer>): Promise<Run> {
  const journal = memoryJournal()
  await importRun(file, { journal })
  return chief.resume(await importRun(file, { journal }), { journal })
}

type Way = (who: ReturnType<typeof payer>) => Promise<Run>
const ways: Record<string, Way> = {
  'a file of a run without a journal, imported': async (who) =>
    imported(asFile(await exportRun((await interrupted()).run)), who),
  'a file of a run without a journal, forked': async (who) =>
    fork(who.agent, asFile(await exportRun((await interrupted()).run))),
  'what was recorded of a run without a journal': async (who) =>
    imported(asFile((await interrupted()).log.export()), who),
  'a run without a journal, forked': async (who) => fork(who.agent, (await interrupted()).run),
  'a run with a journal, forked': async (who) => {
    const journal = memoryJournal()
    return fork(who.agent, (await interrupted(journal)).run, { journal })
  },
  'a run with a journal that is not named, forked': async (who) =>
    fork(who.agent, (await interrupted(memoryJournal())).run),
  'a file of a run with a journal that is not named, imported': async (who) =>
    imported(asFile(await exportRun((await interrupted(memoryJournal())).run)), who),
  'a run of a journal, forked': async (who) => {
    const journal = memoryJournal()
    return fork(who.agent, (await interrupted(journal)).run.id, { journal })
  },
  'a file of a run of a journal, forked': async (who) => {
    const journal = memoryJournal()
    await interrupted(journal)
    return fork(who.agent, asFile(await exportRun(journal, 'r')))
  },
}

it.each(Object.entries(ways))('I5: what a child did stays done: %s', async (_, continued) => {
  const who = payer()

  const run = await continued(who)
  const first = await run.settled
  if (first.type === 'stopped') run.resume()

  expect(await run.settled).toMatchObject({
    type: 'inputNeeded',
    asks: [{ prompt: expect.stringContaining('pay was interrupted') }],
  })
  expect(who.paid).toEqual([])
  await run.reply(run.state.asks[0]?.id ?? '', 'done')
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(who.paid).toEqual([])
})

it('refuses a saved run with a journal that does not have it, before a child begins again', async () => {
  const { run } = await interrupted()
  const who = payer()

  const resumed = who.agent.resume(savedRun(JSON.parse(JSON.stringify(run.log))), { journal: memoryJournal() })

  await expect(resumed).rejects.toMatchObject({ code: 'journal_conflict' })
  expect(who.paid).toEqual([])
})

it('exports a run whose journal cannot be read', async () => {
  const journal = memoryJournal()
  const { run } = await interrupted({ ...journal, list: () => Promise.reject(new Error('Away.')) })

  expect((await exportRun(run)).events).toEqual(run.log)
})
