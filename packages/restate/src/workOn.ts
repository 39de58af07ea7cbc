import { type Agent, AgentError, type Host, type Observer, type Run } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { toFailure } from '@interleave/core/place'
import { commandsOf } from './commandsOf.ts'
import type { Inbox } from './createInbox.ts'
import { createNews } from './createNews.ts'
import { createSegment, type SegmentLimits } from './createSegment.ts'
import type { Open } from './inboxObject.ts'
import type { Worked } from './workObject.ts'

export interface WorkOnOptions {
  readonly agents: ReadonlyMap<string, Agent>
  readonly journal: Required<Journal>
  readonly inbox: Inbox
  readonly limits: SegmentLimits
  readonly host: Host
  /** The attempt is over: another one may go on with the run. */
  readonly abortSignal: AbortSignal
  readonly observers: readonly Observer[]
}

/** Lets a run work until it rests and nothing is asked of it any more, or for a segment. */
export async function workOn(runId: string, options: WorkOnOptions): Promise<Worked> {
  const { inbox, journal, host, limits, abortSignal } = options
  const segment = createSegment({ runId, journal, limits, host })
  const over = new AbortController()
  const aborted = abortedBy(abortSignal, segment.close)
  try {
    const opened = await Promise.race([
      open(runId, { ...options, journal: segment.journal, host: segment.host }),
      aborted,
    ])
    if (!opened) return 'rests'
    const { run, commands, next } = opened
    segment.attend(run)
    const news = createNews()
    const obey = commandsOf(run, { inbox, segment, host, isNew: opened.isNew })
    const more = segment.ended.then((): Worked => 'more')
    const listening = listen(inbox, {
      signal: over.signal,
      from: next,
      hear: (commands) => {
        news.ring()
        return obey(commands)
      },
    })
    // It ends with the invocation, whoever still listens to it then.
    listening.catch(() => {})
    const begun = Promise.race([obey(commands), more])
    await Promise.race([begun, aborted])
    for (;;) {
      const end = await Promise.race([more, run.settled, aborted, listening])
      if (end === 'more') return end
      if (isOutlived(run)) throw new AgentError('journal_conflict', `Somebody else goes on with the run ${runId}.`)
      if (run.state.rest?.type === 'inputNeeded') await Promise.race([news.next(limits.lingerMs, host), aborted])
      const { open: left } = await inbox.take()
      if (left.length === 0 && run.state.rest) return 'rests'
      await Promise.race([obey(left), more, aborted])
    }
  } finally {
    segment.close()
    over.abort()
  }
}

/** Another attempt may go on with the run: nothing of this one is to come any more. */
function abortedBy(signal: AbortSignal, close: () => void): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => {
      close()
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  aborted.catch(() => {})
  return aborted
}

interface Listening {
  readonly signal: AbortSignal
  readonly from: number
  hear(commands: readonly Open[]): Promise<void>
}

/** Hears what is asked while the run works. Ends by an error, or never. */
async function listen(inbox: Inbox, { signal, from, hear }: Listening): Promise<never> {
  for (let known = from; ; ) {
    await inbox.listen(known, signal)
    const { open, next } = await inbox.take()
    known = next
    // What fails is asked for again by the next attempt.
    hear(open).catch(() => {})
  }
}

const isOutlived = ({ state: { rest } }: Run): boolean =>
  rest?.type === 'failed' && rest.error.code === 'journal_conflict'

interface Opened {
  readonly run: Run
  readonly commands: readonly Open[]
  /** The place of the next command. */
  readonly next: number
  /** It was begun here. */
  readonly isNew: boolean
}

/** The run, begun or gone on with. Undefined where there is nothing to do. */
async function open(
  runId: string,
  { agents, journal, host, inbox, observers }: Omit<WorkOnOptions, 'journal'> & { journal: Journal },
): Promise<Opened | undefined> {
  const { open: commands, next } = await inbox.take()
  const [started] = await journal.read(runId)
  const start = commands.find(({ command }) => command.type === 'start')?.command
  if (started?.type === 'started') {
    const run = await find(agents, started.agent).resume(runId, { journal, host, observers })
    return run.state.rest && commands.length === 0 ? undefined : { run, commands, next, isNew: false }
  }
  if (start?.type === 'start') {
    const { input, key, history } = start
    const run = find(agents, start.agent).start(input, {
      ...{ id: runId, journal, host, observers },
      ...(key !== undefined && { key }),
      ...(history && { history }),
    })
    return { run, commands, next, isNew: true }
  }
  const unknown = new AgentError('run_unknown', `There is no run "${runId}".`)
  for (const { id } of commands) await inbox.done(id, { failure: toFailure(unknown, 'run_unknown') })
  return undefined
}

/** Where the agent is not here yet, as during a deployment, the run waits, and what was asked of it. */
function find(agents: ReadonlyMap<string, Agent>, name: string): Agent {
  const agent = agents.get(name)
  if (agent) return agent
  const known = [...agents.keys()].join(', ')
  throw new AgentError(
    'agent_mismatch',
    `There is no agent "${name}" here, only: ${known}. Deploy one that has it: the run waits.`,
  )
}
