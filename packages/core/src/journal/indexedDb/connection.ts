import { type IDBPDatabase, openDB } from 'idb'
import { AgentError, isAgentError, messageOf } from '../../error.ts'
import type { Durability } from '../../journal.ts'
import { type Mode, type Stores, storeNames, type Transaction, type Upgrade, upgrades } from './stores.ts'

/** One database, opened when it is needed, and again when it was closed. */
export interface Connection {
  read<T>(body: (transaction: Transaction<'readonly'>) => Promise<T>): Promise<T>
  /** Resolves when the transaction is complete. An exception undoes all of it. */
  write<T>(body: (transaction: Transaction<'readwrite'>) => Promise<T>, durability?: Durability): Promise<T>
}

/** The number of upgrades is the version of the database. */
export function createConnection(name: string, steps: readonly Upgrade[] = upgrades): Connection {
  let opened: Promise<IDBPDatabase<Stores>> | undefined
  const forget = (): void => {
    opened = undefined
  }
  const open = (): Promise<IDBPDatabase<Stores>> => {
    opened ??= openDatabase({ name, steps, onClose: forget })
    opened.catch(forget)
    return opened
  }
  const begin = async <M extends Mode>(mode: M, durability: Durability): Promise<Transaction<M>> => {
    const start = async () => (await open()).transaction(storeNames, mode, { durability })
    try {
      return await start()
    } catch (error) {
      // It was closed for another tab, or by the browser, and nobody has told us yet.
      if ((error as Partial<Error>).name !== 'InvalidStateError') throw error
      forget()
      return start()
    }
  }
  return {
    read: async (body) => complete(await begin('readonly', 'relaxed'), body),
    write: async (body, durability = 'relaxed') => complete(await begin('readwrite', durability), body),
  }
}

async function complete<M extends Mode, T>(
  transaction: Transaction<M>,
  body: (transaction: Transaction<M>) => Promise<T>,
): Promise<T> {
  const { done } = transaction
  // Heard below; while the body works nobody listens yet.
  done.catch(() => {})
  try {
    const result = await body(transaction)
    await done
    return result
  } catch (error) {
    abort(transaction)
    // A request only knows that it was aborted, its transaction why.
    throw isAgentError(error) ? error : (transaction.error ?? error)
  }
}

function abort(transaction: Transaction<Mode>): void {
  try {
    transaction.abort()
  } catch {
    // It is over already.
  }
}

interface Opening {
  readonly name: string
  readonly steps: readonly Upgrade[]
  readonly onClose: () => void
}

function openDatabase({ name, steps, onClose }: Opening): Promise<IDBPDatabase<Stores>> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const blocked = (): void => {
      isLate = true
      const why = `The database "${name}" is open in another tab, in an older version.`
      reject(failure(`${why} Close that tab or load it again, and try again.`))
    }
    const blocking = (
      _now: number,
      _next: number | null,
      { target }: { readonly target: EventTarget | null },
    ): void => {
      // Another tab brings a newer version, or deletes it. Who needs it after that opens it again.
      onClose()
      ;(target as unknown as { close(): void } | null)?.close()
    }
    if (typeof indexedDB === 'undefined') {
      reject(failure('There is no IndexedDB here. Use another journal, such as memoryJournal().', false))
      return
    }
    const upgrade = (database: IDBPDatabase<Stores>, oldVersion: number): void => {
      for (const step of steps.slice(oldVersion)) step(database)
    }
    openDB<Stores>(name, steps.length, { upgrade, blocked, blocking, terminated: onClose }).then(
      (database) => (isLate ? database.close() : resolve(database)),
      (error: unknown) => reject(explain(name, error)),
    )
  })
}

function explain(name: string, error: unknown): unknown {
  if ((error as Partial<Error>).name === 'VersionError') {
    return failure(`The database "${name}" was written by a newer version of this page. Load the page again.`, false)
  }
  return (error as Partial<Error>).name === 'QuotaExceededError'
    ? error
    : failure(`The database "${name}" could not be opened: ${messageOf(error)}`)
}

const failure = (message: string, retryable = true): AgentError =>
  new AgentError('journal_failed', message, { retryable })
