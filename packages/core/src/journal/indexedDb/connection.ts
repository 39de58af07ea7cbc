import { AgentError, isAgentError, messageOf } from '../../error.ts'
import type { Durability } from '../../journal.ts'
import { abort, endIfAway, untilBack } from './away.ts'
import type { Schema, Transaction } from './stores.ts'

/** A connection to one database, opened when it is needed, and again after it was closed. */
export interface Connection<Stores> {
  read<T>(body: (transaction: Transaction<Stores>) => Promise<T>): Promise<T>
  /** Resolves when the transaction is complete. An exception undoes all of it. */
  write<T>(body: (transaction: Transaction<Stores>) => Promise<T>, durability?: Durability): Promise<T>
}

/** Creates a connection. The number of upgrades is the version of the database. */
export function createConnection<Stores>(name: string, schema: Schema<Stores>): Connection<Stores> {
  let opened: Promise<IDBDatabase> | undefined
  const forget = (): void => {
    opened = undefined
  }
  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase(name, schema, forget)
    opened.catch(forget)
    return opened
  }
  const begin = async (mode: IDBTransactionMode, durability: Durability): Promise<Transaction<Stores>> => {
    const start = async () => {
      const database = await open()
      for (let away = untilBack(); away; away = untilBack()) await away
      return database.transaction(schema.stores, mode, { durability })
    }
    try {
      return await start()
    } catch (error) {
      // It was closed for another tab, or by the browser, and the event has not arrived yet.
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

async function complete<T, Stores>(
  transaction: Transaction<Stores>,
  body: (transaction: Transaction<Stores>) => Promise<T>,
): Promise<T> {
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
  // It is awaited below; while the body works, nothing handles its rejection.
  done.catch(() => {})
  const end = endIfAway(transaction)
  try {
    const result = await body(transaction)
    await done
    return result
  } catch (error) {
    abort(transaction)
    // A request's error only states that it was aborted; its transaction has the reason.
    throw isAgentError(error) ? error : (transaction.error ?? error)
  } finally {
    end()
  }
}

/** Milliseconds after which an access fails if the database is not open by then. */
const longestMs = 10_000

function openDatabase(
  name: string,
  { upgrades, otherwise }: Pick<Schema<unknown>, 'upgrades' | 'otherwise'>,
  onClose: () => void,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let request: IDBOpenDBRequest
    try {
      if (typeof indexedDB === 'undefined' || !indexedDB) {
        reject(failure(`There is no IndexedDB here. Use ${otherwise}.`, false))
        return
      }
      request = indexedDB.open(name, upgrades.length)
    } catch (error) {
      // As in a sandboxed frame, or where the user blocks the data of sites.
      reject(failure(`The browser denies IndexedDB to this page: ${messageOf(error)} Use ${otherwise}.`, false))
      return
    }
    let isLate = false
    const giveUp = (why: string): void => {
      isLate = true
      reject(failure(`The database "${name}" ${why} Close that tab or load it again, and try again.`))
    }
    // Behind a delete that another tab blocks, a request waits without an event. Once it has one, this changes nothing.
    setTimeout(() => giveUp('did not open in time. Another tab may keep it open.'), longestMs)
    request.onblocked = () => giveUp('is open in another tab, in an older version.')
    request.onupgradeneeded = ({ oldVersion }) => {
      for (const step of upgrades.slice(oldVersion)) step(request.result)
    }
    request.onerror = () => reject(explain(name, request.error))
    request.onsuccess = () => {
      const { result: database } = request
      database.onclose = onClose
      database.onversionchange = () => {
        // Another tab has a newer version, or deletes the database. The next access opens it again.
        onClose()
        database.close()
      }
      if (isLate) database.close()
      else resolve(database)
    }
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
