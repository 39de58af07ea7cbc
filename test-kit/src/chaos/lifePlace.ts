import type { Agent, Run } from '@interleave/core'
import { decorateJournal, deferred } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { ChaosPlace } from './chaos.ts'
import type { LifeParts, Mutant } from './mutants.ts'
import { type ShopAgentOptions, shopAgent } from './shopAgent.ts'

export interface LifePlaceOptions {
  readonly journal: Journal
  readonly fetch: NonNullable<ShopAgentOptions['fetch']>
  readonly mutant?: Mutant
}

interface Life {
  readonly agent: Agent<string>
  readonly journal: Journal
  readonly runs: Map<string, Run<string>>
  /** Ends the life. With `cut` it can write nothing any more. Otherwise it continues, and does not know that it is over. */
  end(cut: boolean): Promise<void>
}

/** A process in which runs work, by its journal. Every other kill leaves the one before alive, as one that is only slow. */
export function lifePlace(options: LifePlaceOptions): ChaosPlace {
  const { journal } = options
  const known = new Set<string>()
  let life = beginLife(options)
  let kills = 0

  const resume = async (id: string, owner: Life): Promise<Run<string>> => {
    const run = await owner.agent.resume(id, { journal: owner.journal })
    keep(id, run, owner)
    return run
  }
  /** Resumes a run in the current life if an earlier one has just written to it. */
  const keep = (id: string, run: Run<string>, owner: Life): void => {
    owner.runs.set(id, run)
    const look = (): void => {
      const { signal } = run.state
      if (signal?.type !== 'failed' || signal.error.code !== 'journal_conflict' || owner.runs.get(id) !== run) return
      owner.runs.delete(id)
      if (owner === life) resume(id, owner).catch(() => {})
    }
    run.subscribe(look)
    look()
  }
  return {
    async start(id, message) {
      known.add(id)
      if ((await journal.read(id)).length > 0) return
      keep(id, life.agent.start(message, { id, journal: life.journal }), life)
    },
    async reply(id, ask, value) {
      const run = life.runs.get(id) ?? (await resume(id, life))
      await run.reply(ask, value as never)
    },
    read: async (id) => journal.read(id),
    async kill() {
      await life.end(kills++ % 2 === 0)
      life = beginLife(options)
      const owner = life
      await Promise.all([...known].map((id) => resume(id, owner).catch(() => {})))
    },
  }
}

function beginLife({ journal, fetch, mutant }: LifePlaceOptions): Life {
  let isCut = false
  const ended = deferred<void>()
  const through = async <T>(work: () => T | PromiseLike<T>): Promise<T> => {
    if (isCut) return never()
    const value = await work()
    return isCut ? never() : value
  }
  const sound: LifeParts = {
    journal: cutJournal(journal, through),
    agent: { fetch: (request) => through(() => fetch(request)) },
    ended: ended.promise,
  }
  const parts = mutant?.breaks(sound) ?? sound
  return {
    agent: shopAgent({ url: 'http://shop.test', ...parts.agent }),
    journal: parts.journal,
    runs: new Map(),
    async end(cut) {
      ended.resolve()
      if (mutant?.lastMs) await new Promise((resolve) => setTimeout(resolve, mutant.lastMs))
      isCut = cut
    },
  }
}

type Through = <T>(work: () => T | PromiseLike<T>) => Promise<T>

function cutJournal(journal: Journal, through: Through): Journal {
  return decorateJournal(journal, (inner) => ({
    append: (...given) => through(() => inner.append(...given)),
    read: (...given) => through(() => inner.read(...given)),
    list: (...given) => through(() => inner.list(...given)),
    delete: (...given) => through(() => inner.delete(...given)),
    claim: (...given) => through(() => inner.claim(...given)),
  }))
}

const never = (): Promise<never> => new Promise(() => {})
