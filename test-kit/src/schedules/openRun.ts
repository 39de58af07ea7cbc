import type { OwnedRun } from '@interleave/connect/internal'
import { acrossTabs, type Origin } from '@interleave/connect/tabs'
import type { Agent, Event, Host, Listener, Run } from '@interleave/core'
import { derivedAgent, toJson } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { fold, isKept } from '@interleave/core/observe'
import { openHandler } from '@interleave/server/internal'
import { testSecret } from '../handlerCalls.ts'
import type { Life } from './life.ts'

/** A run that its page opens in a server, or shares with other tabs. */
export interface Opening {
  readonly life: Life
  readonly agent: Agent
  readonly journal: Journal
  readonly observers: readonly Listener[]
  readonly onRun: (run: Run) => void
  readonly onFailure: (error: unknown) => void
}

/** A run that others see: clients of a server, or another tab. */
export interface OpenedRun {
  /** I4: looks at how much of the run others may be shown. */
  glance(): void
  /** I4: looks at the run as a client of a server does. */
  look?(): Promise<void>
}

/** Returns the agent with observers on each of its runs. */
function observedAgent({ agent, observers, onRun }: Opening): Agent {
  const reported = (run: Run): Run => {
    onRun(run)
    return run
  }
  const withObservers = <O extends { readonly observers?: readonly Listener[] }>(options: O | undefined) => ({
    ...options,
    observers: [...(options?.observers ?? []), ...observers],
  })
  const start: Agent['start'] = (input, options) => reported(agent.start(input, withObservers(options)))
  const resume = async (...[from, options]: Parameters<Agent['resume']>): Promise<Run> =>
    reported(await agent.resume(from, withObservers(options)))
  return derivedAgent(agent, { start, resume })
}

const user = 'ada'

/** The id under which the journal has a run that a client named. */
export const servedRunId = (runId: string): string => `${user}/${runId.padStart(32, '0')}`

/** Opens a server on this life, and the run in it. */
export function serveRun(opening: Opening): OpenedRun {
  const { life, journal, onFailure } = opening
  const observed = observedAgent(opening)
  const { handle, context } = openHandler({
    agents: [observed],
    journal,
    host: life.host,
    secret: testSecret,
    authorize: () => user,
    log: () => {},
  })
  const { runs } = context
  const { runId } = life
  const opened = life.emitted.of('').length > 0 ? runs.openRun(runId) : runs.startRun(observed, 'Go', { id: runId })
  const show = ({ view }: OwnedRun): void => {
    view.subscribe((event) => {
      // That the journal takes no more is reported, and it cannot be in the journal.
      if (!isKept(event) || event === view.fault) return
      life.witness.shows('A stream', event.seq, Math.min(event.seq, life.witness.journal.length - 1))
    })
  }
  opened.then(show).catch(onFailure)

  return {
    async look() {
      const response = await handle(new Request(`https://edge.test/v1/runs/${runId.slice(user.length + 1)}`))
      if (!response.ok) return
      const shown = (await response.json()) as { length: number; signal?: string; asks: { ask: { id: string } }[] }
      const { signal, asks } = fold(life.witness.journal.slice(0, shown.length))
      const length = Math.min(shown.length, life.witness.journal.length)
      life.witness.shows(
        'A client',
        toJson({ length: shown.length, signal: shown.signal, asks: shown.asks.map(({ ask }) => ask.id) }),
        toJson({ length, signal: signal?.type, asks: asks.map(({ id }) => id) }),
      )
    },
    glance() {
      const { length } = runs.findRun(runId)?.view.log ?? []
      life.witness.shows('A client', length, Math.min(length, life.witness.journal.length))
    },
  }
}

/** Opens the run in a tab of this life, and lets another tab follow it once the journal has it. */
export function shareRun(opening: Opening): OpenedRun {
  const { life, agent, journal, onFailure } = opening
  const { runId, witness } = life
  const host: Host = { ...life.host, newId: () => `tab-${life.fresh()}` }
  const origin = originOf(life)
  const owner = acrossTabs(observedAgent(opening), { journal, host, origin })
  if (life.emitted.of('').length === 0) owner.start('Go', { id: runId })
  else owner.resume(runId).catch(onFailure)

  const follower = acrossTabs(agent, { journal, host, origin: { ...originOf(life), locks: neverGranted } })
  let isOpened = false
  let followed: Run | undefined
  return {
    glance() {
      if (!isOpened && witness.journal.length > 0) {
        isOpened = true
        follower.resume(runId).then((run) => {
          followed = run
        }, onFailure)
      }
      if (!followed) return
      const { log, state } = followed
      const length = Math.min(log.length, witness.journal.length)
      const { signal, asks } = fold(witness.journal.slice(0, length))
      witness.shows(
        'Another tab',
        toJson({ log: log.map(nameOf), signal: state.signal, asks: state.asks }),
        toJson({ log: witness.journal.slice(0, length).map(nameOf), signal, asks }),
      )
    },
  }
}

const nameOf = ({ seq, at, type }: Event): string => `${seq} ${type} at ${at}`

/** The locks and messages that a tab shares with others: each reaches it through a gate. */
function originOf(life: Life): Origin {
  const { browser, gates } = life
  const client = { wait: () => gates.pass('tab') }
  life.onEnd(() => {
    browser.channels.leave(client)
    browser.locks.leave(client)
  })
  return {
    locks: browser.locks.of(client),
    channel: (name, listener) => browser.channels.open(name, listener, client),
  }
}

/** A tab that only follows. */
const neverGranted: Origin['locks'] = {
  request: ((_name: string, options: LockOptions, granted: (lock: null) => unknown) =>
    options.ifAvailable ? Promise.resolve(granted(null)) : new Promise(() => {})) as Origin['locks']['request'],
}
