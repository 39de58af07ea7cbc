import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { judge, type Outcome } from './outcome.ts'
import type { Begin, Life } from './subject.ts'
import type { Barrier, Report, ToolKind, World } from './world.ts'

export interface Trial {
  readonly run: string
  readonly tool: ToolKind
  readonly barrier: Barrier
  readonly store: string
}

/** The milliseconds that a program may take when it is started again, far above what any needs. */
const giveUpMs = 600_000

/** Lets a program pay, kills it at the barrier, starts it again, and judges what became of its payment. */
export async function tryOnce(begin: Begin, world: World, url: string, trial: Trial): Promise<Outcome> {
  const { run, tool, barrier, store } = trial
  const told = { run, tool, store, world: url }
  let first: Promise<Life> | undefined
  let died = (): void => {}
  const death = new Promise<void>((resolve) => {
    died = resolve
  })
  const ended = new Promise<Report>((done) => {
    const kill = async (): Promise<void> => {
      await (await first)?.kill()
      died()
    }
    world.watch(run, { tool, barrier, kill, done })
  })
  first = begin(told)
  const { failed } = await first
  await Promise.race([death, failed, ended.then(() => neverDied(trial))])
  const second = await begin(told)
  const report = await Promise.race([
    ended,
    pause(giveUpMs, undefined, { ref: false }),
    second.failed.catch((error) => complain(run, error)),
  ])
  await second.kill()
  return judge(world.entriesOf(run), report ?? undefined, world.told(run).asked)
}

function neverDied({ run, barrier }: Trial): never {
  throw new Error(`The run "${run}" came to its end, and was to die at "${barrier}".`)
}

/** A run that fails after it was started again is lost. */
function complain(run: string, error: unknown): undefined {
  process.stderr.write(`${run}: ${error}\n`)
}
