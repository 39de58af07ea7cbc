import { type Agent, type Ask, isAgentError, type Run, type RunState } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { openJournal } from './openJournal.ts'
import { post, tellFault } from './post.ts'
import { message, shopper } from './shopper.ts'
import { since } from './variant.ts'

const id = 'run'

/** Goes on with the run, wherever it is, until it has its answer or this place dies. */
export async function live(): Promise<void> {
  try {
    const journal = openJournal()
    let state = await toEnd(shopper, journal)
    while (!state) {
      await post('conflict', null)
      state = await toEnd(shopper, journal)
    }
    await post('end', { log: await journal.read(id), state })
  } catch (error) {
    await tellFault(error)
  }
}

/** Resolves with the signal of the run, or nothing if it has another owner. */
async function toEnd(buyer: Agent<string>, journal: Journal): Promise<RunState | undefined> {
  const from = performance.now()
  const last = (await journal.read(id)).at(-1)
  const run = last ? await buyer.resume(id, { journal }) : buyer.start(message, { id, journal })
  tellLife(run, { after: last?.type, from })
  answerAll(run)
  for (;;) {
    const signal = await run.settled
    if (signal.type === 'answer') return run.state
    if (signal.type === 'failed' && signal.error.code === 'journal_conflict') return undefined
    if (signal.type !== 'inputNeeded' && signal.type !== 'limitReached') throw new Error(JSON.stringify(signal))
    await untilAwake(run)
  }
}

/** Tells when the run first does something here. */
function tellLife(run: Run, { after, from }: { readonly after: string | undefined; readonly from: number }): void {
  const end = run.subscribe(() => {
    end()
    const now = performance.now()
    void post('going', { after, loadMs: performance.timeOrigin + now - since, openMs: now - from })
  })
}

function untilAwake(run: Run): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (run.state.signal) return
      end()
      resolve()
    }
    const end = run.subscribe(look)
    look()
  })
}

/** Answers each question as soon as it is open, truthfully. */
function answerAll(run: Run): void {
  const answering = new Set<string>()
  const answer = async (ask: Ask): Promise<void> => {
    try {
      await run.reply(ask.id, await replyTo(run, ask))
    } catch (error) {
      // An error of the journal also fails the run, which reports it.
      if (!isAgentError(error) || error.code !== 'journal_conflict') await tellFault(error)
    }
    answering.delete(ask.id)
  }
  const look = (): void => {
    for (const ask of run.state.asks) {
      if (answering.has(ask.id)) continue
      answering.add(ask.id)
      void answer(ask)
    }
  }
  run.subscribe(look)
  look()
}

/** A call that may have happened is looked up; a limit is there to be extended. */
export async function replyTo(run: Run, ask: Ask): Promise<unknown> {
  if (ask.kind === 'extension') return { extend: ask.suggested }
  if (ask.about !== 'interruption') return 'blue'
  const isAsked = ({ about, call }: Ask): boolean => about === 'interruption' && call === ask.call
  const asked = run.log.flatMap((event) => (event.type === 'asked' && isAsked(event.ask) ? [event.ask.id] : []))
  const before = run.log.filter((event) => event.type === 'replied' && asked.includes(event.ask)).length
  const attempts = await post('attempts', { interruption: before }, `${run.id}/${ask.call}`)
  return attempts === 0 ? 'again' : 'done'
}
