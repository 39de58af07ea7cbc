import { checkMessage, checkResume } from './checkCommand.ts'
import type { Command } from './command.ts'
import { reportLater } from './error.ts'
import { isKept } from './event.ts'
import { createFeed, type Feed } from './feed.ts'
import { toJson } from './json.ts'
import { liveProperties } from './liveProperties.ts'
import { observe } from './observe.ts'
import type { GivenContent } from './part.ts'
import { plainContent } from './plainContent.ts'
import type { Ask } from './question.ts'
import type { Run, SayOptions } from './run.ts'
import { eventsOf, type Filter, hideReasoning, withKeptEvents } from './runEvents.ts'
import type { Signal } from './signal.ts'
import { initialState } from './state.ts'

/** A view of a run that executes elsewhere. Its creator passes the events to its feed. */
export interface Mirror<Output> {
  readonly run: Run<Output>
  readonly feed: Feed
}

export interface MirrorOptions {
  readonly id: string
  /** The events and state known so far. */
  readonly past?: Pick<Feed, 'state' | 'events'>
  /** Names messages. */
  readonly newId: () => string
  /**
   * Sends a command to where the run executes. Returns the length of the log at that time; the feed receives earlier
   * events first.
   */
  send(command: Command): Promise<number>
  /** Resolves when the latest events are durable. If undefined, they already are. */
  readonly kept?: (() => PromiseLike<unknown> | undefined) | undefined
}

export function createMirror<Output>({ id, past, newId, send, kept }: MirrorOptions): Mirror<Output> {
  const feed = createFeed(past ?? { state: { ...initialState, runId: id }, events: [] })
  const ask = createAsker(feed, { send, kept })
  const methods: Omit<Run<Output>, keyof Progress> = {
    subscribe: feed.subscribe,
    events: (options) => eventsOf(feed, { ...options, filter: () => filterOf(feed) }),
    observe: (observer) => observe(feed, observer),
    async say(content: GivenContent, { key = newId() }: SayOptions = {}) {
      checkMessage(content)
      await ask.send({ type: 'say', content: plainContent(content), key })
    },
    async reply(asked: Ask | string, value: unknown) {
      const id = typeof asked === 'string' ? asked : asked.id
      await ask.send({ type: 'reply', ask: id, value: toJson(value), after: feed.state.seq })
    },
    stop: (reason = 'Stopped.') => ask.send({ type: 'stop', reason }),
    resume() {
      checkResume(feed.state)
      // What goes wrong shows itself in the run.
      ask.send({ type: 'resume' }).catch(reportLater)
    },
  }
  const run = withProgress(methods, { id, feed, settled: ask.settled }) as Run<Output>
  return { run: withKeptEvents(run, feed.events), feed }
}

type Progress = Pick<Run, 'id' | 'state' | 'settled'>
interface Source {
  readonly id: string
  readonly feed: Feed
  settled(): Promise<Signal>
}

const withProgress = liveProperties<Source, Progress>({
  id: ({ id }) => id,
  state: ({ feed }) => feed.state,
  settled: ({ settled }) => settled(),
})

/** Assumes that a remote agent's turns may call tools, since that is unknown here. */
const filterOf = ({ state }: Feed): Filter | undefined =>
  state.exposeReasoning === false ? hideReasoning({ mayCall: true }) : undefined

interface Asker {
  /** Resolves when it is done there, and known here. */
  send(command: Command): Promise<void>
  /** Resolves with the next signal after all commands from here. */
  settled(): Promise<Signal>
}

function createAsker(feed: Feed, { send, kept }: Pick<MirrorOptions, 'send' | 'kept'>): Asker {
  let open = 0
  const waiting = new Set<() => void>()
  // What is taken back may leave the rest before.
  feed.subscribe((event) => (isKept(event) || event.type === 'rewound') && look())

  const look = (): void => {
    for (const each of waiting) each()
  }
  const until = <T>(ready: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const tryNow = (): void => {
        const value = ready()
        if (value === undefined) return
        waiting.delete(tryNow)
        resolve(value)
      }
      waiting.add(tryNow)
      tryNow()
    })

  return {
    async send(command) {
      open++
      try {
        const length = await send(command)
        await until(() => feed.state.seq >= length || undefined)
      } finally {
        open--
        look()
      }
    },
    async settled() {
      for (;;) {
        const rest = await until(() => (open === 0 ? feed.state.rest : undefined))
        await kept?.()
        // What was not kept is taken back, and is no rest.
        const isTold =
          feed.state.rest === rest || feed.events.some((event) => 'signal' in event && event.signal === rest)
        if (isTold) return rest
      }
    },
  }
}
