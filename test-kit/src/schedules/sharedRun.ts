import { acrossTabs, type Origin } from '@interleave/connect/tabs'
import type { Event, Host, Run } from '@interleave/core'
import { toJson } from '@interleave/core/internal'
import { fold } from '@interleave/core/observe'
import type { Life } from './life.ts'
import { type Opening, observedAgent } from './opening.ts'

/** A run that tabs share: one executes it, and another one follows it. */
export interface SharedRun {
  /** I4: looks at the tab that follows. */
  glance(): void
}

/** Opens the run in a tab of this life, and lets another tab follow it once the journal has it. */
export function shareRun(opening: Opening): SharedRun {
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
      const { rest, asks } = fold(witness.journal.slice(0, length))
      witness.shows(
        'Another tab',
        toJson({ log: log.map(nameOf), rest: state.rest, asks: state.asks }),
        toJson({ log: witness.journal.slice(0, length).map(nameOf), rest, asks }),
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
