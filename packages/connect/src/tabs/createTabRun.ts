import type { ResumeOptions, Run } from '@interleave/core'
import type { Feed } from '@interleave/core/internal'
import { createMirror } from '@interleave/core/internal'
import { Calls } from '../calls.ts'
import type { RemoteRun } from '../remoteRun.ts'
import { close } from './close.ts'
import { follow, hear, takeFromSilent } from './follow.ts'
import { createFollowing } from './following.ts'
import { comeBack, goAway } from './goAway.ts'
import { begin, giveUp, own, send } from './own.ts'
import { createOwnerLock } from './ownerLock.ts'
import { createOwnerWatch } from './ownerWatch.ts'
import { parkAtRest } from './park.ts'
import { post, setOwner, show, type Tab, type TabSetting } from './tab.ts'
import { isTabMessage } from './tabMessage.ts'

export interface TabRun<Output> {
  readonly run: RemoteRun<Output>
  /** Begins it, in this tab. */
  start(begin: (options: ResumeOptions) => Run): void
  /** Finds the owner of the run, and takes it if there is none. */
  open(): Promise<void>
}

/** `onClose` is called when the run cannot be used here any more. */
export function createTabRun<Output>(
  setting: TabSetting,
  { past, onClose }: { readonly past?: Pick<Feed, 'state' | 'events'>; readonly onClose: () => void },
): TabRun<Output> {
  const { id, origin, journal, host, takeoverAfterMs } = setting
  const newId = (): string => host.newId()
  const { run, feed } = createMirror<Output>({
    id,
    newId,
    send: (command) => send(tab, command),
    kept: () => tab.owning?.settled(),
    ...(past && { past }),
  })
  let owned: Promise<void> | undefined
  const tab: Tab = {
    ...setting,
    onClose() {
      parking.end()
      onClose()
    },
    feed,
    owner: 'nobody',
    ownersId: undefined,
    owning: undefined,
    losses: 0,
    isClosed: false,
    isParked: false,
    isAway: false,
    following: createFollowing({ id, feed, journal, onError: (error) => show(tab, error) }),
    channel: origin.channel(`interleave:${id}`, {
      hear(data) {
        if (isTabMessage(data)) hear(tab, data)
      },
      onAway: () => goAway(tab),
      onBack: () => comeBack(tab),
    }),
    commands: new Calls(newId, (asked, command) => post(tab, { type: 'command', id: asked, command })),
    watch: createOwnerWatch({
      host,
      takeoverAfterMs,
      ping: () => post(tab, { type: 'ping' }),
      onSilence: () => takeFromSilent(tab),
    }),
    lock: createOwnerLock({
      locks: origin.locks,
      name: `interleave:${id}`,
      onHeld() {
        owned = own(tab).then(parking.look)
      },
      onLost: () => void giveUp(tab, tab.owning),
    }),
  }
  const parking = parkAtRest(tab)
  const owner = { enumerable: true, get: () => tab.owner }
  return {
    run: Object.defineProperty(Object.assign(run, { close: () => close(tab) }), 'owner', owner) as RemoteRun<Output>,
    start: (start) => begin(tab, start),
    async open() {
      if (await tab.lock.tryNow()) await owned
      else {
        setOwner(tab, 'elsewhere')
        follow(tab)
      }
    },
  }
}
