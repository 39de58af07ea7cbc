import { AgentError, type Event, type Host, localHost } from '@interleave/core'
import { checkRunId, conflict, demand, outlived } from '@interleave/core/internal'
import type { AppendOptions, Journal, ListOptions, RunSummary } from '@interleave/core/journal'
import { asAnswered, asClaimed, asDone, asPage, asShown } from './answers.ts'
import { besideWork } from './besideWork.ts'
import { checkSize } from './checkSize.ts'
import { createAdmin } from './createAdmin.ts'
import { createIngress, type Ingress, type IngressOptions } from './ingress.ts'
import { readPages } from './readPages.ts'
import { readSummaries } from './readSummaries.ts'
import { type ServiceNames, serviceNames } from './serviceNames.ts'
import { untilDone } from './untilDone.ts'

export interface RestateJournalOptions extends IngressOptions {
  /** The address of Restate's admin API, such as `http://localhost:9070`. `list` asks it, and `delete` for the runs below. */
  admin?: string
  /** As of `restateHost()`. */
  name?: string
  /** Milliseconds for which Restate is asked again where it cannot be reached; 30,000 by default. */
  retryForMs?: number
  host?: Host
}

/**
 * The logs of runs that work on Restate, or of any. Each is a virtual object, which takes one append at a time: what does not
 * follow, or comes from an owner that another one has followed, is refused.
 */
export function restateJournal({
  name = 'interleave',
  retryForMs = 30_000,
  host = localHost,
  ...options
}: RestateJournalOptions): Required<Journal> {
  demand(options.ingress, 'restateJournal({ ingress }) needs the address of Restate, such as "http://localhost:8080".')
  const names = serviceNames(name)
  const ingress = createIngress({ ...options, host, retryForMs })
  const admin = options.admin === undefined ? undefined : createAdmin({ ...options, admin: options.admin, host })
  return besideWork(journalOn(ingress, { ...options, names, host }), { ingress, names, host, admin })
}

export interface JournalOnOptions extends Pick<RestateJournalOptions, 'admin' | 'headers' | 'fetch'> {
  readonly names: ServiceNames
  readonly host: Pick<Host, 'newId' | 'timer'>
}

export function journalOn(
  ingress: Ingress,
  { admin, headers, fetch, names, host }: JournalOnOptions,
): Required<Journal> {
  const whenFree = untilDone(ingress)
  const log = (runId: string, handler: string) => ({ service: names.log, key: runId, handler })
  const summaries = (options: ListOptions): Promise<readonly RunSummary[]> => {
    if (admin === undefined)
      throw new AgentError('options_invalid', 'list() of Restate needs restateJournal({ admin }).')
    return readSummaries(options, {
      admin,
      service: names.log,
      host,
      ...(headers && { headers }),
      ...(fetch && { fetch }),
    })
  }

  return {
    async append(runId: string, events: readonly Event[], { epoch }: AppendOptions = {}): Promise<void> {
      checkRunId(runId)
      const [first] = events
      if (!first) return
      const input = { id: host.newId(), events, ...(epoch !== undefined && { epoch }) }
      checkSize(runId, events)
      const { length, refused } = await whenFree({ ...log(runId, 'append'), input, answer: asAnswered })
      if (refused === 'length') throw conflict(runId, length, first.seq)
      if (refused === 'epoch') throw outlived(runId)
    },
    async read(runId: string, from = 0): Promise<readonly Event[]> {
      checkRunId(runId)
      const shown = await ingress({ ...log(runId, 'look'), input: from, answer: asShown })
      const before = await readPages(shown, {
        from,
        host,
        get: (at) => ingress({ service: names.pages, key: runId, handler: 'get', input: at, answer: asPage }),
      })
      return [...before, ...shown.tail].filter(({ seq }) => seq >= from)
    },
    async list({ limit = 50, ...options }: ListOptions = {}): Promise<readonly RunSummary[]> {
      return summaries({ limit, ...options })
    },
    async delete(runId: string): Promise<void> {
      checkRunId(runId)
      const below = admin === undefined ? [] : await summaries({ below: runId })
      for (const id of [runId, ...below.map((run) => run.runId)])
        await whenFree({ ...log(id, 'remove'), answer: asDone })
    },
    async claim(runId: string, length: number): Promise<number> {
      checkRunId(runId)
      const { epoch, length: now } = await whenFree({ ...log(runId, 'claim'), input: length, answer: asClaimed })
      if (epoch === undefined) throw conflict(runId, now, length)
      return epoch
    },
  }
}
