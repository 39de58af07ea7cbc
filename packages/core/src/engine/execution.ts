import { AgentError } from '../error.ts'
import type { EventBody } from '../event.ts'
import { localHost, sharedTimer, withTimer } from '../host.ts'
import { type Past, workOn } from '../journal.ts'
import { createLog, type Log, liveProperties } from '../log/log.ts'
import { observe } from '../log/observe.ts'
import { closeRun, eventsOf, type Filter, hideReasoning, withKeptEvents, withWritten } from '../log/runEvents.ts'
import { type GivenContent, plainContent } from '../part.ts'
import type { Ask, ExtensionReply } from '../question.ts'
import type { Agent, ResumeOptions, Run, RunContext, SayOptions } from '../run.ts'
import { failed, isOwnLimit, type Signal, type StoppedSignal } from '../signal.ts'
import { latestTurn, type RunState } from '../state.ts'
import { closeCalls, skipCalls } from '../step.ts'
import { createRunContext, Lease, untilSignal } from './loop.ts'
import { People } from './people.ts'
import { checkMessage, checkResume, createRest, type Rest } from './rest.ts'

/** Milliseconds after which a run that worked when its page went away was away, and did not only take its time. */
const longAway = 60_000
/** Milliseconds that a step has to end after the run is stopped. Built-in steps end immediately. */
const stopMs = 5_000

export interface Execution<Output> {
  readonly run: Run<Output>
  /** Writes the first events and starts to work. */
  begin(events: readonly EventBody[]): void
  /** Resumes unfinished work, and the calls that wait for users, so that they are running when the reply arrives. */
  restart(): void
}

/** Creates a run of an agent in this process, on a log that may have a past. It does nothing until it is started. */
export function createExecution<Output>(
  agent: Agent<Output>,
  past: Past,
  { journal, host = localHost, observers = [] }: ResumeOptions,
): Execution<Output> {
  const log = createLog({ ...past, host, journal })
  const rest = createRest<Output>(log)
  const { timer, release } = sharedTimer(host)
  const people = new People(log, { host, onAllWait: () => void pause() })
  const children: RunContext['children'] = new Map()
  let controller = new AbortController()
  let working: Promise<void> | undefined
  let lease = new Lease()

  const enterRest = (signal: Signal): Promise<void> => {
    release()
    return rest.enter(signal)
  }

  /** Pauses the run when every activity waits for a user. The reply continues it. */
  const pause = async (): Promise<void> => {
    const fault = await rest.fault()
    if (log.state.rest || controller.signal.aborted || !people.allWait) return
    const [first, ...others] = log.state.asks
    if (fault) await enterRest(fault)
    else if (first) await enterRest({ type: 'inputNeeded', asks: [first, ...others] })
  }

  const workOnce = async (): Promise<void> => {
    const endWork = journal && workOn(journal, log.state.runId)
    try {
      await workOff()
    } finally {
      endWork?.()
    }
  }
  const workOff = async (): Promise<void> => {
    controller = new AbortController()
    people.enter()
    lease = new Lease()
    const { signal: abortSignal } = controller
    const parts = { agent, log, people, lease, journal, children, host: withTimer(host, timer), abortSignal }
    const { context, forget } = createRunContext(parts)
    for (;;) {
      const begin = log.state.seq
      let thrown: unknown
      const work = untilSignal(context, forget).catch((error): Signal => {
        thrown = error
        return failed(error)
      })
      const signal = await lease.orEnd(work)
      if (signal.type === 'stopped') closeCalls(log, ({ resumes }) => !resumes)
      if (signal.type === 'answer') skipCalls(log)
      const fault = await rest.fault()
      if (signal.type === 'answer' && isInterrupted(log.state, begin) && !fault) continue
      if (rest.isTold(thrown)) {
        // A part of the work failed while others still waited. The run rests with that, or has been resumed since.
        if (!fault && !log.state.rest) continue
        if (log.state.rest) {
          working = undefined
          return
        }
      }
      const early = signal.type === 'limitReached' ? replyTo(signal.ask, log) : undefined
      if (early === 'extends' && !fault) continue
      working = undefined
      // Whoever ended it brings it to its rest, too.
      return early === 'ends' ? undefined : enterRest(fault ?? signal)
    }
  }
  /** Lets the run settle again if the work under way waits for users, since nothing else would notice. */
  const work = (): void => {
    if (working === undefined) working = workOnce()
    else if (people.allWait) void pause()
  }

  const filter = (): Filter | undefined => {
    const mayCall = agent.backend.mayCall || Object.keys(agent.tools).length > 0
    return log.state.exposeReasoning === false ? hideReasoning({ mayCall }) : undefined
  }

  const methods: Omit<Run<Output>, keyof Progress> = {
    subscribe: log.subscribe,
    events: (options) => eventsOf(log, { ...options, filter }),
    observe: (observer) => observe(log, observer),
    async say(content: GivenContent, { key }: SayOptions = {}) {
      checkMessage(content)
      const plain = plainContent(content)
      if (key !== undefined && log.events.some((event) => event.type === 'said' && event.key === key)) {
        await log.durable()
        return
      }
      // What was left open by a stop, to be gone on with, is given up for something new.
      if (log.state.rest?.type === 'stopped') closeCalls(log)
      log.emit({ type: 'said', by: 'user', content: plain, ...(key !== undefined && { key }) })
      if (!log.state.rest) work()
      await log.durable()
    },
    async reply(ask: Ask | string, value: unknown) {
      const answered = await people.reply(typeof ask === 'string' ? ask : ask.id, value)
      if (isOwnLimit(answered) && endsRun(answered, value))
        await enterRest({ type: 'stopped', reason: `The limit is reached: ${answered.limit}.` })
      // It may have come to its rest already, while the reply was checked.
      else if (!log.state.rest) work()
      await log.durable()
    },
    async stop(reason = 'Stopped.') {
      if (log.state.rest?.type === 'limitReached') await enterRest({ type: 'stopped', reason })
      if (!working) return
      controller.abort(new AgentError('stopped', reason))
      people.leave(controller.signal.reason)
      const left = lease
      const cancel = host.timer(stopMs, () => left.end({ type: 'stopped', reason }, controller.signal.reason))
      await working
      cancel()
    },
    resume() {
      const { rest: resting } = log.state
      checkResume(log.state)
      log.claim()
      if (resting) log.emit({ type: 'resumed' })
      // A model that is given its own half answer last takes it for finished, or refuses.
      if (latestTurn(log.state)?.error?.code === 'stopped') log.emit({ type: 'said', by: 'agent', content: 'Go on.' })
      work()
    },
  }
  // The output of an answer has passed the agent's own schema.
  const base = past.events.length === 0 && past.state.seq > 0 ? past.state : undefined
  const run = withKeptEvents(withProgress(methods, { log, rest }) as Run<Output>, log.events, base)

  const close = async (reason: Error): Promise<void> => {
    const written = log.close(reason)
    // A failure may have left calls behind. They end without a trace: a stop would be their result.
    controller.abort(reason)
    people.leave(reason)
    await written
    for (const child of await Promise.all(children.values())) if (child) await closeRun(child, reason)
  }
  withWritten(run, journal && { log, base: past.state, filter, close })

  for (const observer of observers) observe(log, observer)
  return {
    run,
    begin(events) {
      for (const event of events) log.emit(event)
      work()
    },
    restart() {
      // A run that rests belongs to whoever writes first: it may only be looked at.
      if (!log.state.rest) log.claim()
      if (!log.state.rest && host.now() - log.state.updatedAt > longAway) log.emit({ type: 'resumed' })
      const stop = unrested(log.state)
      if (stop) void enterRest(stop)
      else if (!log.state.rest || log.state.rest.type === 'inputNeeded') work()
    },
  }
}

type Progress = Pick<Run, 'id' | 'state' | 'settled'>

const withProgress = liveProperties<{ readonly log: Log; readonly rest: Rest<unknown> }, Progress>({
  id: ({ log }) => log.state.runId,
  state: ({ log }) => log.state,
  settled: ({ rest }) => rest.settled(),
})

/** Returns the stop in the log, if the log ends before its signal. */
function unrested(state: RunState): StoppedSignal | undefined {
  const { error } = latestTurn(state) ?? {}
  if (state.rest || state.pending.length > 0 || error?.code !== 'stopped') return undefined
  return { type: 'stopped', reason: error.message }
}

type Extension = Extract<Ask, { readonly kind: 'extension' }>

/** Where it does not have the model answer with what it has. */
const endsRun = ({ finish }: Extension, reply: unknown): boolean => !finish && 'finish' in (reply as ExtensionReply)

/** Returns the reply to a limit's question, if it was answered before the run could settle with it. */
function replyTo(ask: Ask, { state, events }: Log): 'extends' | 'ends' | undefined {
  if (ask.kind !== 'extension' || state.asks.some(({ id }) => id === ask.id)) return undefined
  const replied = events.findLast((event) => event.type === 'replied' && event.ask === ask.id)
  if (replied?.type !== 'replied') return undefined
  return endsRun(ask, replied.value) ? 'ends' : 'extends'
}

/**
 * Returns true if a message arrived during the last turn, which the model must receive before the run settles. After a
 * final call only user messages count.
 */
function isInterrupted(state: RunState, begin: number): boolean {
  const isFinal = latestTurn(state)?.calls.some(({ final }) => final)
  return state.pending.some(({ by, seq }) => seq >= begin && (by === 'user' || !isFinal))
}
