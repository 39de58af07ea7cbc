import { type Ask, type Host, localHost } from '@interleave/core'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { type Random, type RandomAgent, randomAgent } from '@interleave/test-kit/replay/randomAgent'
import { expect, it } from 'vitest'
import { replayRun } from './replayRun.ts'

const seeds = Number(process.env.REPLAY_RUNS ?? 60)
const first = Number(process.env.REPLAY_SEED ?? 1)

/** Waits for no retry, and has a clock that is always a bit further. */
function host(): Host {
  let now = 1_800_000_000_000
  return {
    ...localHost,
    now: () => ++now,
    perform: (effect, body) => (effect.kind === 'sleep' ? Promise.resolve(null as never) : body()),
  }
}

function replyTo({ kind, ...ask }: Ask, random: Random): unknown {
  switch (kind) {
    case 'approval': {
      const yes = { approved: true, ...('allow' in ask && random() < 0.5 && { remember: 'tool' }) }
      return random() < 0.7 ? yes : { approved: false, reason: 'No.' }
    }
    case 'extension':
      return random() < 0.7 ? { extend: 2 } : { finish: true }
    case 'confirm':
      return 'declinable' in ask && random() < 0.5 ? { $reply: 'declined' } : random() < 0.5
    case 'form':
      return { done: true }
    default:
      return random() < 0.5 ? 'a' : 'b'
  }
}

/**
 * Plays a run to its end: a user answers in any order, says more, and now and then loads the page again. Branches that
 * begin or continue at the same time may do so in another order, which the log does not tell.
 */
async function record({ name, describe }: RandomAgent, random: Random): Promise<unknown> {
  const journal = memoryJournal()
  const place = { journal, host: host() }
  let run = describe().start('Go', { id: 'r', ...place })
  for (let settledCount = 0; settledCount < 60; settledCount++) {
    const signal = await run.settled
    const asks = signal.type === 'limitReached' ? [signal.ask] : run.state.asks
    const ask = asks[Math.floor(random() * asks.length)]
    if (!ask || signal.type === 'answer' || signal.type === 'failed') break
    if (name !== 'branches' && random() < 0.1) run = await describe().resume('r', place)
    else if (name !== 'branches' && random() < 0.05) await run.say('And this.')
    await run.reply(ask.id, replyTo(ask, random)).catch(() => {})
  }
  return JSON.parse(JSON.stringify(await exportRun(journal, 'r')))
}

it('finds no difference in the run of an unchanged agent, whatever the agent', async () => {
  const wrongs: string[] = []
  for (let seed = first; seed < first + seeds; seed++) {
    const made = randomAgent(createRandom(seed))
    const file = await record(made, createRandom(seed + 1_000_000))
    const { difference } = await replayRun(file, { agent: made.describe(), idleMs: 300 }).catch((error: Error) => ({
      difference: { message: error.message },
    }))
    if (difference) wrongs.push(`${seed} (${made.name}): ${difference.message}`)
  }
  expect(wrongs).toEqual([])
}, 600_000)
