import type { Host, ResumeOptions, Run } from '@interleave/core'
import type { Command, Feed } from '@interleave/core/internal'
import { draftEvents, isConflict, outlived, toFailure } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { CommandQueue } from '../owner.ts'
import { ownersJournal } from './ownersJournal.ts'
import { createRelay } from './relay.ts'
import type { OwnerMessage, TabMessage } from './tabMessage.ts'

/** The period in which a run executes in this tab: it emits here and to the other tabs. */
export interface Owning {
  /** Takes a run that begins here. */
  begin(start: (options: ResumeOptions) => Run): void
  /** Takes over a run. `catchUp` brings the feed to the log's length before anything new is emitted. */
  goOn(resume: (options: ResumeOptions) => Promise<Run>, catchUp: (length: number) => Promise<void>): Promise<void>
  /** Resolves when its signal is durable. */
  settled(): Promise<unknown> | undefined
  /** Returns true while it carries out a command. */
  isBusy(): boolean
  /** Does something, once. Gives how long the log is then. */
  perform(command: Command): Promise<number>
  /** Handles a message of a follower. */
  hear(message: TabMessage): void
  /** Writes nothing any more, and ends what is under way. */
  leave(): void
}

export interface OwningOptions {
  readonly id: string
  readonly feed: Feed
  readonly journal: Journal
  readonly host: Host
  readonly takeoverAfterMs: number
  readonly post: (message: OwnerMessage) => void
  /** Called when another owner took over. */
  readonly onConflict: () => void
}

export function createOwning({ id, feed, journal, host, takeoverAfterMs, post, onConflict }: OwningOptions): Owning {
  /** The run, once its events are emitted. */
  let run: Run | undefined
  /** The run, as soon as there is one. */
  let working: Run | undefined
  let isLeft = false
  let busy = 0
  /** False without followers: live events are not sent then. */
  let isFollowed = false
  /** Commands that arrived during the takeover. */
  const early: { begin(): void; reject(error: unknown): void }[] = []

  const commands = new CommandQueue(() => feed.events)
  const onKept = (length: number): void => post({ type: 'kept', length })
  const gate = ownersJournal(journal, { runId: id, host, takeoverAfterMs, onKept })
  const relay = createRelay({
    feed,
    onConflict,
    onLive: (after, event) => isFollowed && post({ type: 'live', after, event }),
  })
  const options: ResumeOptions = { journal: gate.journal, observers: [relay.observer] }

  const performHere = async (command: Command): Promise<number> => {
    if (!run) {
      return new Promise((resolve, reject) => {
        early.push({ reject, begin: () => performHere(command).then(resolve, reject) })
      })
    }
    busy++
    try {
      await commands.applyCommand(run, command)
      return run.state.seq
    } finally {
      busy--
    }
  }
  /** Ends the work. Its tools and models are aborted, and their writes rejected. */
  const end = (): void => {
    if (working && !working.state.rest) void working.stop()
  }
  const obey = async (asked: string, command: Command): Promise<void> => {
    try {
      post({ type: 'done', command: asked, length: await performHere(command) })
    } catch (error) {
      // Who went on with the run will be asked again.
      if (!isConflict(error)) post({ type: 'refused', command: asked, failure: toFailure(error, 'step_failed') })
    }
  }

  return {
    begin(start) {
      relay.open()
      run = working = start(options)
    },
    async goOn(resume, catchUp) {
      working = await resume(options)
      if (isLeft) end()
      const kept = relay.firstHeld() ?? working.state.seq
      await catchUp(kept)
      if (isLeft) throw outlived(id)
      // The owner before may not have come to say so.
      onKept(kept)
      relay.open()
      run = working
      for (const { begin } of early.splice(0)) begin()
    },
    settled: () => run?.settled,
    isBusy: () => busy > 0 || early.length > 0,
    perform: performHere,
    hear(message) {
      isFollowed = true
      const { seq, draft } = feed.state
      if (message.type === 'ping') post({ type: 'owner' })
      if (message.type === 'follow') post({ type: 'joined', to: message.from, after: seq, live: draftEvents(draft) })
      if (message.type === 'command') void obey(message.id, message.command)
    },
    leave() {
      isLeft = true
      gate.revoke()
      relay.close()
      for (const { reject } of early.splice(0)) reject(outlived(id))
      end()
    },
  }
}
