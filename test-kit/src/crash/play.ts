import type { Ask, Event, Run } from '@interleave/core'
import { isAgentError } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { interruptedCall } from '../interruptedCall.ts'
import { laws } from '../laws.ts'
import type { Script } from './script.ts'
import { type Life, World, type WorldOptions } from './world.ts'

export interface PlayOptions extends WorldOptions {
  /** Holds every event against the laws of the log, which takes longer. */
  readonly lawful?: boolean
}

/** The result of a run: its log, the logs of its child runs, and the world. */
export interface Played {
  readonly logs: ReadonlyMap<string, readonly Event[]>
  readonly world: World
}

const most = 25

/** Plays a script to its end: whenever the page dies, a user loads it again, and answers the questions. */
export async function play(script: Script, options: PlayOptions = {}): Promise<Played> {
  const world = new World(options)
  for (let lives = 0; ; lives++) {
    if (lives > most) throw new Error('The run does not come to its end.')
    const life = world.live()
    const ended = await Promise.race([liveThrough(script, { life, world, options }), life.died])
    if (ended) break
  }
  return { logs: world.kept.logs, world }
}

interface Playing {
  readonly life: Life
  readonly world: World
  readonly options: PlayOptions
}

/** Plays one page. Returns true if the journal has the end of the run. */
async function liveThrough(script: Script, { life, world, options }: Playing): Promise<boolean> {
  const past = await world.kept.read('r')
  const observers = [...life.observers, ...(options.lawful ? [laws(fold(past))] : [])]
  const place = { journal: life.journal, host: life.host, observers }
  const described = script.describe(life)
  let run: Run
  try {
    run = past.length > 0 ? await described.resume('r', place) : described.start('Go', { id: 'r', ...place })
  } catch (error) {
    if (isAgentError(error) && error.code.startsWith('journal_')) return false
    throw error
  }
  const loaded = run.state.signal
  const act = actIn(run, script)
  run.subscribe(act)
  act()
  for (let settledCount = 0; settledCount < most; settledCount++) {
    const signal = await run.settled
    if (signal.type === 'answer') return (await world.kept.read('r')).at(-1)?.type === 'settled'
    if (signal.type === 'stopped') run.resume()
    else if (signal.type !== 'failed') await replyTo(run, { script, world })
    // Another owner has written, as it seems. The state that was loaded continues.
    else if (signal.error.code === 'journal_conflict' && signal !== loaded) return false
    else if (signal.error.code.startsWith('journal_')) run.resume()
    else throw new Error(`It fails: ${signal.error.message}`)
  }
  throw new Error(`The run rests again and again, at last with ${JSON.stringify(run.state.signal)}.`)
}

/** Returns what a user does in the middle, once in this life, if it is not done. */
function actIn(run: Run, { acts = [] }: Script): () => void {
  const left = new Set(acts)
  return () => {
    for (const act of left) {
      if (act.isDone(run.state) || !act.when(run.state)) continue
      left.delete(act)
      Promise.resolve(act.act(run)).catch(() => {})
    }
  }
}

async function replyTo(run: Run, { script, world }: { script: Script; world: World }): Promise<void> {
  const { signal } = run.state
  const [ask] = signal?.type === 'limitReached' ? [signal.ask] : run.state.asks
  if (!ask) throw new Error(`It waits for nothing: ${JSON.stringify(signal)}`)
  const value = ask.about === 'interruption' ? truth(ask, { run, world }) : (script.reply?.(ask) ?? agreeing(ask))
  // A rejected reply is sent again at the next rest.
  await run.reply(ask.id, value).catch((error: unknown) => {
    if (!isAgentError(error) || error.code === 'reply_invalid') throw error
  })
}

/** Returns the true answer to the question whether a call ran. */
function truth(ask: Ask, { run, world }: { run: Run; world: World }): 'done' | 'again' {
  const key = `${ask.from?.runId ?? run.id}/${interruptedCall(ask)}`
  return world.deeds.some((deed) => deed.kind === 'tool' && deed.key === key) ? 'done' : 'again'
}

const agreeing = ({ kind, ...ask }: Ask): unknown =>
  ({ approval: { approved: true }, extension: { extend: 4 }, choice: 'a', confirm: true })[kind as string] ?? ask.id
