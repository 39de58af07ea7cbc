import { scriptedModel } from '@interleave/testing'
import { deleteDB, openDB } from 'idb'
import { expect, it, vi } from 'vitest'
import { agent } from '../../index.ts'
import { createConnection } from './connection.ts'
import { askToPersist, indexedDbJournal, persistence } from './index.ts'
import { resultOf, runSchema } from './stores.ts'

let names = 0
const newName = (): string => `connection-${Date.now()}-${names++}`
/** A version that comes after. */
const next = { ...runSchema, upgrades: [...runSchema.upgrades, () => {}] }
const started = { seq: 0, at: 1, iteration: 0, type: 'started', runId: 'a', agent: 'a', version: '1' } as const

it('brings what an older version kept into a newer one, which it makes room for', async () => {
  const name = newName()
  const older = indexedDbJournal({ name })
  await older.append('a', [started])

  const newer = createConnection(name, next)

  expect(await newer.read((transaction) => resultOf(transaction.objectStore('events').count()))).toBe(1)
  await expect(Promise.resolve(older.read('a'))).rejects.toMatchObject({
    message: expect.stringMatching(/newer version/),
  })
})

it('says which tab blocks it, and opens once that makes room', async () => {
  const name = newName()
  const older = await openDB(name, 1, { upgrade: (database) => runSchema.upgrades[0]?.(database as never) })
  const newer = createConnection(name, next)

  await expect(newer.read((transaction) => resultOf(transaction.objectStore('runs').count()))).rejects.toMatchObject({
    code: 'journal_failed',
    retryable: true,
    message: expect.stringMatching(/another tab/),
  })
  older.close()

  expect(await newer.read((transaction) => resultOf(transaction.objectStore('runs').count()))).toBe(0)
})

it('says so if a delete that another tab blocks keeps it from opening, and opens once that is done', async () => {
  const name = newName()
  const older = await openDB(name, 1)
  const deleted = deleteDB(name)
  const { read } = createConnection(name, runSchema)
  const count = () => read((transaction) => resultOf(transaction.objectStore('runs').count()))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  const waiting = count()
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()

  await expect(waiting).rejects.toMatchObject({
    code: 'journal_failed',
    retryable: true,
    message: expect.stringMatching(/did not open in time.*Another tab.*try again/),
  })
  older.close()
  await deleted
  expect(await count()).toBe(0)
})

it('undoes all of a write of which a part fails', async () => {
  const connection = createConnection(newName(), runSchema)

  const write = connection.write(async (transaction) => {
    await resultOf(transaction.objectStore('counters').put(7, 'epoch'))
    throw new Error('mine')
  })

  await expect(write).rejects.toThrow('mine')
  expect(await connection.read((transaction) => resultOf(transaction.objectStore('counters').count()))).toBe(0)
})

it('opens again when the browser closed it', async () => {
  const name = newName()
  const connection = createConnection(name, runSchema)
  await connection.write((transaction) => resultOf(transaction.objectStore('counters').put(7, 'epoch')))
  const get = () => connection.read((transaction) => resultOf(transaction.objectStore('counters').get('epoch')))
  await connection.read((transaction) => Promise.resolve(transaction.db.close()))

  expect(await get()).toBe(7)
})

it('says what to use where the browser denies its storage', async () => {
  const denied = () => {
    throw new DOMException('access is denied in this context.', 'SecurityError')
  }
  const storage = { persisted: async () => denied(), estimate: async () => denied(), persist: async () => denied() }
  vi.stubGlobal('indexedDB', { open: denied })
  vi.stubGlobal('navigator', { storage })

  try {
    await expect(Promise.resolve(indexedDbJournal({ name: newName() }).list())).rejects.toMatchObject({
      code: 'journal_failed',
      retryable: false,
      message: expect.stringMatching(/denied in this context\. Use another journal/),
    })
    expect(await persistence()).toEqual({ persisted: undefined, usage: undefined, quota: undefined })
    expect(await askToPersist()).toBe(false)
  } finally {
    vi.unstubAllGlobals()
  }
})

it('says what to use where the browser has no storage, or denies to look at it', async () => {
  const database = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB') ?? {}
  const list = () => Promise.resolve(indexedDbJournal({ name: newName() }).list())
  const get = () => {
    throw new DOMException('It is denied.', 'SecurityError')
  }

  try {
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, value: null })
    await expect(list()).rejects.toThrow(/There is no IndexedDB here\. Use/)
    Object.defineProperty(globalThis, 'indexedDB', { configurable: true, get })
    await expect(list()).rejects.toThrow(/It is denied\. Use another journal/)
  } finally {
    Object.defineProperty(globalThis, 'indexedDB', database)
  }
})

it('writes where the browser denies channels', async () => {
  vi.stubGlobal('BroadcastChannel', deniedChannel)
  const journal = indexedDbJournal({ name: newName() })
  const end = journal.watch?.(() => {})

  try {
    const run = agent({ name: 'a', model: scriptedModel('Done.') }).start('Go', { journal })
    expect(await run.settled).toMatchObject({ output: 'Done.' })
    expect(await journal.read(run.id)).toHaveLength(run.state.seq)
  } finally {
    end?.()
    vi.unstubAllGlobals()
  }
})

function deniedChannel(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

it('does nothing to the database while the page is in the back/forward cache', async () => {
  const journal = indexedDbJournal({ name: `away-${crypto.randomUUID()}` })
  await journal.read('r')
  let isRead = false
  const moved = (type: string) => dispatchEvent(new PageTransitionEvent(type, { persisted: true }))

  moved('pagehide')
  const reading = Promise.resolve(journal.read('r')).then(() => {
    isRead = true
  })
  // Another page has the database meanwhile.
  await indexedDB.databases()
  await new Promise((resolve) => setTimeout(resolve, 50))
  const wasRead = isRead
  moved('pageshow')
  await reading

  expect([wasRead, isRead]).toEqual([false, true])
})
