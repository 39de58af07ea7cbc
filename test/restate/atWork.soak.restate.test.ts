import { agent, confirm, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { redactingJournal } from '@interleave/core/observe'
import { liveHub, restateAgent, restateHost, restateJournal } from '@interleave/restate'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import { scriptedModel } from '@interleave/testing'
import * as sdk from '@restatedev/restate-sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { needsRestate } from './needsRestate.ts'
import { type Services, serveTo } from './serveTo.ts'
import { type RestateServer, restateBinary, startRestate } from './startRestate.ts'
import { stepper } from './steps.ts'

needsRestate()

let server: RestateServer
const closing: (() => unknown)[] = []

const serve = async (services: Services, mode?: 'fetch'): Promise<void> =>
  void closing.push(await serveTo(server, services, mode))

beforeAll(async () => {
  if (!restateBinary) return
  server = await startRestate()
  await serve(restateHost({ sdk, ingress: server.ingress, agents: runSuiteAgents() }).services)
})

afterAll(async () => {
  await server?.close()
  for (const close of closing) close()
})

const endless = () => restateAgent({ agent: 'endless', ingress: server.ingress })
const journal = () => restateJournal({ ingress: server.ingress, admin: server.admin })

describe.runIf(restateBinary)('a run at work on Restate', () => {
  it('is shown to those who look without a hub, while it works', async () => {
    const run = endless().start('Go', { id: 'shown' })

    await expect.poll(async () => (await journal().read('shown')).length).toBeGreaterThan(1)
    await run.stop()
    expect((await journal().read('shown')).at(-1)).toMatchObject({ type: 'settled', signal: { type: 'stopped' } })
  })

  it('is taken from Restate by no one, until it is stopped', async () => {
    const run = endless().start('Go', { id: 'claimed' })
    await expect.poll(() => run.state.seq).toBeGreaterThan(1)
    const { length } = await journal().read('claimed')

    await expect(journal().claim('claimed', length)).rejects.toMatchObject({ code: 'journal_conflict' })
    await run.stop()
    expect(await journal().claim('claimed', (await journal().read('claimed')).length)).toBeGreaterThan(0)
  })

  it('continues behind a fetch handler though another user claimed it', async () => {
    const { ingress } = server
    const own = { sdk, ingress, name: 'taken', agents: [stepper(60, 'idempotent')], bidirectional: false }
    await serve(restateHost(own).services, 'fetch')
    const run = restateAgent({ agent: 'steps-60-idempotent', name: 'taken', ingress }).start('Go', { id: 'taken' })
    await expect.poll(() => run.state.seq).toBeGreaterThan(3)
    const kept = restateJournal({ ingress, name: 'taken' })
    const claim = async () => kept.claim('taken', (await kept.read('taken')).length)

    await expect.poll(() => claim().catch(() => 0), { interval: 1 }).toBeGreaterThan(0)

    expect(run.state.signal).toBeUndefined()
    expect(await run.settled).toMatchObject({ output: '60 steps.' })
  })

  it('is stopped by who deletes it, and leaves nothing in the list', async () => {
    const run = endless().start('Go', { id: 'deleted' })
    await expect.poll(() => run.state.seq).toBeGreaterThan(1)

    await journal().delete('deleted')

    expect(await journal().read('deleted')).toEqual([])
    expect((await journal().list()).map(({ runId }) => runId)).not.toContain('deleted')
  })

  it('tells that asks of a run that no one began, and does not list it', async () => {
    await expect(endless().resume('nobody')).rejects.toMatchObject({ code: 'run_unknown' })
    expect((await journal().list()).map(({ runId }) => runId)).not.toContain('nobody')
  })

  it('begins once for one id, and says so to the one who comes second', async () => {
    const echo = () => restateAgent({ agent: 'echo', ingress: server.ingress })
    await echo().start('One', { id: 'twice' }).settled

    expect(await echo().start('One', { id: 'twice' }).settled).toMatchObject({ output: 'Heard: One' })
    expect(await echo().start('Two', { id: 'twice' }).settled).toMatchObject({ error: { code: 'journal_conflict' } })
    expect((await journal().read('twice')).filter(({ type }) => type === 'started')).toHaveLength(1)
  })

  it('is looked at by who opens a child run of it, and continues', async () => {
    const { ingress } = server
    let finish = (): void => {}
    const look = tool({
      inputSchema: z.object({}),
      effect: 'readOnly',
      execute: () => new Promise<string>((resolve) => (finish = () => resolve('Open.'))),
    })
    const clerk = agent({
      name: 'clerk',
      model: scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'It is open.'),
      tools: { look },
    })
    const chief = agent({
      name: 'chief',
      model: scriptedModel({ calls: [{ name: 'clerk', input: { task: 'Is it?' } }] }, 'Go there.'),
      tools: { clerk: agentTool(clerk, { description: 'Looks.' }) },
    })
    await serve(restateHost({ sdk, ingress, name: 'below', agents: [chief, clerk] }).services)
    const run = restateAgent({ agent: 'chief', name: 'below', ingress }).start('Is it open?', { id: 'above' })
    const kept = restateJournal({ ingress, name: 'below' })
    const called = async () => (await kept.read('above/1/tool/0')).some(({ type }) => type === 'claimed')
    await expect.poll(called).toBe(true)

    const below = await restateAgent({ agent: 'clerk', name: 'below', ingress }).resume('above/1/tool/0')
    await expect(below.say('Hurry.')).rejects.toMatchObject({ code: 'not_allowed' })
    finish()

    expect(await run.settled).toMatchObject({ output: 'Go there.' })
    expect(await below.settled).toMatchObject({ output: 'It is open.' })
    below.close()
  })

  it.each([
    ['append', { id: '1' }],
    ['append', { id: '1', events: [null] }],
    ['claim', 'x'],
    ['ask', { command: { type: 'stop', reason: 'No more.' } }],
    ['ask', { id: '1', command: { type: 'say', content: 7, key: '1' } }],
    ['start', { id: '1', command: { type: 'start', agent: 'echo' } }],
    ['start', null],
  ])('is not held up by what is nothing for %s: %j', async (handler, input) => {
    const ask = (body: unknown) =>
      fetch(`${server.ingress}/interleave-log/odd/${handler}`, {
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: { 'content-type': 'application/json' },
      })

    const answer = await ask(input)

    expect(await answer.json()).toMatchObject({ code: 400, message: expect.stringContaining(`input of ${handler}`) })
    expect(await journal().read('odd')).toEqual([])
  })

  it('is kept without secrets where it works elsewhere, by a journal that leaves them out', async () => {
    const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'
    const ask = tool({
      inputSchema: z.object({}),
      execute: async (_, context) => ((await context.ask(confirm({ prompt: 'Go on?' }))) ? secret : 'no'),
    })
    const teller = agent({
      name: 'teller',
      model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, secret),
      tools: { ask },
    })
    const redacting = redactingJournal(journal())
    const run = teller.start(`Mine is ${secret}.`, { id: 'redacted', journal: redacting })
    expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
    await run.stop()

    const resumed = await teller.resume('redacted', { journal: redacting })
    await resumed.say('Go on.')
    expect(await resumed.settled).toMatchObject({ type: 'answer' })
    const log = JSON.stringify(await journal().read('redacted'))
    expect([log.includes(secret), log.includes('Mine is')]).toEqual([false, true])
  })

  it('continues though no one can receive what it tells', async () => {
    const { ingress } = server
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    const deaf = () => {
      throw new Error('Nobody listens.')
    }
    const faults = { onLive: deaf, onFault: deaf }
    await serve(restateHost({ sdk, ingress, name: 'deaf', agents: runSuiteAgents(), ...faults }).services)

    const run = restateAgent({ agent: 'echo', name: 'deaf', ingress }).start('Hello')

    expect(await run.settled).toMatchObject({ output: 'Heard: Hello' })
    expect(reported).toHaveBeenCalled()
    reported.mockRestore()
  })

  it('waits to begin until its agent is deployed', async () => {
    const { ingress } = server
    const hub = liveHub()
    const late = restateAgent({ agent: 'late', name: 'later', ingress, live: hub.subscribe })
    const faults: unknown[] = []
    const onFault = (_: string, error: unknown) => faults.push(error)
    await serve(restateHost({ sdk, ingress, name: 'later', agents: [guide('other', '1')], onFault }).services)
    const run = late.start('Go', { id: 'waits' })
    await expect.poll(() => faults[0]).toMatchObject({ code: 'agent_mismatch' })

    await serve(
      restateHost({ sdk, ingress, name: 'later', agents: [guide('late', '1')], onLive: hub.publish }).services,
    )

    expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
    await run.stop()
  })

  it('says that its handlers are served in one direction only', async () => {
    const { ingress } = server
    const faults: unknown[] = []
    const onFault = (_: string, error: unknown) => faults.push(error)
    const { services } = restateHost({ sdk, ingress, name: 'oneWay', agents: [guide('guide', '1')], onFault })
    await serve(services, 'fetch')
    const run = restateAgent({ agent: 'guide', name: 'oneWay', ingress }).start('Go')

    await expect.poll(() => faults[0]).toMatchObject({ code: 'options_invalid' })
    await run.close()
  })

  it('is begun by one version of its agent, and answered to by the next', async () => {
    const { ingress } = server
    const of = (version: string) =>
      serve(
        restateHost({ sdk, ingress, name: 'versions', agents: [guide('guide', version)], segment: { lingerMs: 200 } })
          .services,
      )
    await of('1')
    const run = restateAgent({ agent: 'guide', name: 'versions', ingress }).start('Go', { id: 'upgraded' })
    const signal = await run.settled
    if (signal.type !== 'inputNeeded') throw new Error(`It does not ask: ${JSON.stringify(signal)}`)

    await of('2')
    // It stays in memory for a while, and a claim waits until it leaves.
    const kept = restateJournal({ ingress, name: 'versions' })
    await kept.claim('upgraded', (await kept.read('upgraded')).length)
    await run.reply(signal.asks[0]?.id ?? '', true)

    expect(await run.settled).toMatchObject({ output: 'By 2.' })
  })
})

/** Creates an agent that asks before it answers. */
function guide(name: string, version: string) {
  const ask = tool({
    inputSchema: z.object({}),
    effect: 'readOnly',
    execute: async (_, context) => ((await context.ask(confirm({ prompt: 'Go on?' }))) ? 'yes' : 'no'),
  })
  const turn = ({ prompt }: { prompt: readonly { role: string }[] }) =>
    prompt.some(({ role }) => role === 'tool') ? `By ${version}.` : { calls: [{ name: 'ask', input: {} }] }
  const model = { ...scriptedModel(), doStream: (call: never) => scriptedModel(turn as never).doStream(call) }
  return agent({ name, version, model, tools: { ask } })
}
