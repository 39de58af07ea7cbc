import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { answerMs, type Bank, entered, type Order, type Payment, pause } from './Bank.ts'

interface Stores extends DBSchema {
  payments: { key: string; value: Payment; indexes: { run: string; at: number } }
}

const name = 'playground bank'
/** The maximum number of lines in the ledger. The oldest are deleted. */
const most = 1_000

/** A bank with a database of its own, which tabs and workers share. */
export function browserBank(): Bank {
  let opened: Promise<IDBPDatabase<Stores>> | undefined
  const database = (): Promise<IDBPDatabase<Stores>> => {
    opened ??= openDB<Stores>(name, 1, {
      upgrade(made) {
        const payments = made.createObjectStore('payments', { keyPath: 'key' })
        payments.createIndex('run', 'runId')
        payments.createIndex('at', 'at')
      },
    })
    return opened
  }
  return {
    async pay(order, signal) {
      const payment = await enter(await database(), order)
      notifyWatchers()
      if (payment.asked === 1) await pause(answerMs, signal)
      return payment
    },
    async paymentsOf(runId) {
      const payments = await (await database()).getAllFromIndex('payments', 'run', runId)
      return payments.toSorted((a, b) => a.at - b.at)
    },
    watch(onChange) {
      const channel = new BroadcastChannel(name)
      channel.addEventListener('message', onChange)
      return () => channel.close()
    },
  }
}

/** Enters an order in one transaction, so that two tabs that pay at once pay once. */
async function enter(database: IDBPDatabase<Stores>, order: Order): Promise<Payment> {
  const { store, done } = database.transaction('payments', 'readwrite', { durability: 'strict' })
  const payment = entered(order, await store.get(order.key), Date.now())
  await store.put(payment)
  const oldest = (await store.count()) > most ? await store.index('at').getKey(IDBKeyRange.lowerBound(0)) : undefined
  if (oldest !== undefined) await store.delete(oldest)
  await done
  return payment
}

/** Notifies this tab too, since its watchers use another channel object. */
function notifyWatchers(): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage('paid')
  channel.close()
}
