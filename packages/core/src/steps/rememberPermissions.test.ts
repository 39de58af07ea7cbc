import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import type { AnyEvent } from '../event.ts'
import { fold } from '../history/index.ts'
import { agent, approval, type Run, reasonAct, tool } from '../index.ts'
import {
  exportRun,
  importRun,
  keyValuePermissionStore,
  memoryJournal,
  type PermissionStore,
  savedRun,
} from '../journal/index.ts'
import type { ToolOptions } from '../tool.ts'
import { type RememberPermissionsOptions, rememberPermissions } from './index.ts'

const inputSchema = z.object({ folder: z.string() })
type Input = z.infer<typeof inputSchema>
const save = (folder: string, name = 'save'): ScriptedTurn => ({ calls: [{ name, input: { folder } }] })
const persistent = { approved: true, remember: 'tool', persistent: true } as const

const newStore = (): PermissionStore => keyValuePermissionStore(new Map(), { user: 'ann' })

interface Saver extends Partial<ToolOptions<Input, unknown>> {
  readonly name?: string
  readonly options?: Partial<RememberPermissionsOptions>
}

/** An agent whose tool asks before each call, once in each run. */
function saver(store: RememberPermissionsOptions['store'], { name = 'saver', options, ...more }: Saver = {}) {
  const ran: string[] = []
  const execute = ({ folder }: Input): number => ran.push(folder)
  const save = tool<Input, unknown>({ description: 'Saves.', inputSchema, approve: approval(), execute, ...more })
  const describe = (turns: readonly ScriptedTurn[]) =>
    agent({
      name,
      model: scriptedModel(...turns),
      tools: { save },
      backend: rememberPermissions(reasonAct(), { store, ...options }),
    })
  const start = (turns: readonly ScriptedTurn[], given: object = {}): Run =>
    describe(turns).start('Go', { observers: [laws()], ...given })
  return { ran, start, describe }
}

/** Runs until a question or the end, and returns the signal's type. */
const typeOf = async (run: Run): Promise<string> => (await run.settled).type

async function approve(run: Run, reply: object = persistent): Promise<void> {
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', reply)
}

/** Allows the tool for good, in a run of its own. */
async function allowed(
  store: PermissionStore,
  { reply = persistent, ...more }: Saver & { readonly reply?: object } = {},
) {
  const run = saver(store, more).start([save('a'), 'Done.'], { id: 'first' })
  await approve(run, reply)
  expect(await typeOf(run)).toBe('answer')
  return run
}

it('asks no more in later runs, and the log of each says by which permission', async () => {
  const store = newStore()
  const first = await allowed(store)
  const { start, ran } = saver(store)
  const run = start([save('b'), save('c'), 'Done.'])

  expect(await typeOf(run)).toBe('answer')

  expect(ran).toEqual(['b', 'c'])
  expect(first.state.permissions).toBeUndefined()
  expect(first.state.asks).toEqual([])
  const used = run.log.filter(({ type }) => type === 'permitted')
  expect(used).toMatchObject([
    { by: 'first/1/tool/0/approval', persistent: { scope: 'tool', at: expect.any(Number) } },
    { by: 'first/1/tool/0/approval', persistent: { scope: 'tool' } },
  ])
  expect(fold(run.log)).toEqual(run.state)
})

it('counts in the same run from the next call on, until it is taken back, also by another store object', async () => {
  const values = new Map<string, string>()
  const store = keyValuePermissionStore(values, { user: 'ann' })
  const run = saver(store).start([save('a'), save('b'), 'Done.', save('c')])
  await approve(run)
  expect(await typeOf(run)).toBe('answer')

  const elsewhere = keyValuePermissionStore(values, { user: 'ann' })
  const [one] = await elsewhere.list('saver')
  await elsewhere.remove('saver', one?.id ?? '')
  await run.say('Again')

  expect(await typeOf(run)).toBe('inputNeeded')
  expect(await store.list('saver')).toEqual([])
})

it('is for this agent, this tool as the user saw it, and this input alone', async () => {
  const store = newStore()
  await allowed(store, { reply: { ...persistent, remember: 'input' } })
  const asks = async (folder: string, more: Saver = {}): Promise<boolean> =>
    (await typeOf(saver(store, more).start([save(folder), 'Done.']))) === 'inputNeeded'

  expect(await asks('a')).toBe(false)
  expect(await asks('b')).toBe(true)
  expect(await asks('a', { name: 'other' })).toBe(true)
  expect(await asks('a', { description: 'Deletes.' })).toBe(true)
  expect(await asks('a', { inputSchema: z.object({ folder: z.string().max(9) }) as never })).toBe(true)
  expect(await asks('a', { effect: 'readOnly' })).toBe(true)
  expect(await asks('a', { approve: approval({ rememberBy: ['folder'] }) })).toBe(true)
  expect(await asks('a', { approve: approval({ remember: 'never' }) })).toBe(true)
})

it('is of one user, whom a function finds by the run', async () => {
  const values = new Map<string, string>()
  const store = ({ runId }: { runId: string }) => keyValuePermissionStore(values, { user: runId.split('/')[0] ?? '' })
  const { start } = saver(store)
  await approve(start([save('a'), 'Done.'], { id: 'ann/1' }))
  const of = (id: string) => typeOf(start([save('a'), 'Done.'], { id }))
  await expect.poll(() => values.size).toBe(1)

  expect(await of('ann/2')).toBe('answer')
  expect(await of('ben/1')).toBe('inputNeeded')
})

it('refuses a reply for good where nothing keeps it, or that allows nothing for later', async () => {
  const plain = agent({
    name: 'a',
    model: scriptedModel(save('a')),
    tools: { save: tool({ inputSchema, approve: approval(), execute: () => 1 }) },
  }).start('Go')
  await expect(approve(plain)).rejects.toMatchObject({ code: 'reply_invalid' })

  const run = saver(newStore()).start([save('a'), 'Done.'])
  await expect(approve(run, { approved: true, persistent: true })).rejects.toMatchObject({ code: 'reply_invalid' })
  await expect(approve(run, { approved: false, persistent: true })).rejects.toMatchObject({ code: 'reply_invalid' })
  await expect(approve(run, { ...persistent, persistent: 'yes' })).rejects.toMatchObject({ code: 'reply_invalid' })
  await approve(run, { approved: true })
  expect(await typeOf(run)).toBe('answer')
})

it.each([
  ['fails', () => Promise.reject(new Error('Full.'))],
  ['gives something else', () => Promise.resolve('all' as never)],
  ['never answers', () => new Promise<never>(() => {})],
])('asks the user if the store %s, and says so once', async (_, list) => {
  const errors: unknown[] = []
  const store: PermissionStore = { list, add: () => Promise.reject(new Error('Full.')), remove: list }
  const options = { onError: (error: unknown) => errors.push(error), timeoutMs: 5 }
  const { start, ran } = saver(store, { options })
  const run = start([save('a'), save('b'), 'Done.'])

  await approve(run)
  expect(await typeOf(run)).toBe('inputNeeded')
  await approve(run)

  expect(await typeOf(run)).toBe('answer')
  expect(ran).toEqual(['a', 'b'])
  expect(errors).toHaveLength(1)
})

it('allows nothing by what is damaged in the store', async () => {
  const store = newStore()
  await allowed(store)
  const [good] = await store.list('saver')
  const damaged = [
    { ...good, scope: 'everything' },
    { ...good, ask: { ...good?.ask, kind: 'confirm' } },
    { ...good, ask: { ...good?.ask, remember: 'never' } },
    { ...good, at: 'now' },
    null,
  ]
  const bad: PermissionStore = { ...store, list: async () => damaged as never }

  expect(await typeOf(saver(bad).start([save('a')]))).toBe('inputNeeded')
})

it('keeps the latest hundred of an agent, and one for all calls of a tool', async () => {
  const store = newStore()
  await allowed(store)
  const [one] = await store.list('saver')
  if (!one) throw new Error('Nothing is stored.')
  await store.add('saver', { ...one, id: 'later' })
  expect((await store.list('saver')).map(({ id }) => id)).toEqual(['later'])

  for (let index = 0; index < 101; index++) await store.add('saver', { ...one, id: `${index}`, scope: 'input' })

  const all = await store.list('saver')
  expect([all.length, all[0]?.id, all.at(-1)?.id]).toEqual([100, '1', '100'])
  await expect(store.add('saver', { ...one, input: 'x'.repeat(40_000) })).rejects.toThrow('too large')
})

it('keeps a permission for a deep input, and each of a hundred large ones', async () => {
  const store = newStore()
  await allowed(store)
  const [one] = await store.list('saver')
  if (!one) throw new Error('Nothing is stored.')
  const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)
  const added = { ...one, id: 'one', scope: 'input', input: '' } as const
  const room = 32_768 - JSON.stringify(added).length

  await store.add('saver', { ...one, id: 'deep', input: deep })
  expect(await store.list('saver')).toHaveLength(1)
  for (let index = 100; index < 200; index++)
    await store.add('saver', { ...added, id: `${index}`, input: 'x'.repeat(room) })
  await store.remove('saver', '100')

  expect(await store.list('saver')).toHaveLength(99)
})

/** The agent again, as after a reload. */
function reloaded(store: PermissionStore, ...turns: readonly ScriptedTurn[]) {
  const tools = {
    save: tool<Input, unknown>({ description: 'Saves.', inputSchema, approve: approval(), execute: () => 1 }),
  }
  return agent({
    name: 'saver',
    model: scriptedModel(...turns),
    tools,
    backend: rememberPermissions(reasonAct(), { store }),
  })
}

it('adds a permission once: what was taken back since stays so after a reload', async () => {
  const store = newStore()
  const { log } = await allowed(store)
  await store.remove('saver', 'first/1/tool/0/approval')
  const added = log.findIndex((event) => event.type === 'noted' && event.key.includes('persistent'))
  const replied = log.findIndex(({ type }) => type === 'replied')

  const after = await reloaded(store, 'Done.').resume(savedRun(log.slice(0, added + 1)))
  expect(await typeOf(after)).toBe('answer')
  expect(await store.list('saver')).toEqual([])

  const before = await reloaded(store, 'Done.').resume(savedRun(log.slice(0, replied + 1)))
  expect(await typeOf(before)).toBe('answer')
  expect(await store.list('saver')).toHaveLength(1)
})

it('answers no question that was asked already', async () => {
  const store = newStore()
  const run = saver(newStore()).start([save('a'), 'Done.'])
  await run.settled
  await allowed(store)

  expect(await typeOf(await reloaded(store, 'Done.').resume(savedRun(run.log)))).toBe('inputNeeded')
})

it('adds nothing that the file of a run says was allowed', async () => {
  const journal = memoryJournal()
  const { log } = await allowed(newStore())
  const replied = log.findIndex(({ type }) => type === 'replied')
  const store = newStore()
  await journal.append('first', log.slice(0, replied + 1))
  const elsewhere = memoryJournal()
  const id = await importRun(await exportRun(journal, 'first'), { journal: elsewhere })

  const run = await reloaded(store, 'Done.').resume(id, { journal: elsewhere })
  run.resume()

  expect(await typeOf(run)).toBe('inputNeeded')
  expect(await store.list('saver')).toEqual([])
})

it('answers for a child run, which is asked about by its agent', async () => {
  const store = newStore()
  const child = (turns: readonly ScriptedTurn[]) => {
    const tools = { save: tool({ inputSchema, approve: approval(), execute: () => 'saved' }) }
    const backend = rememberPermissions(reasonAct(), { store })
    return agent({ name: 'child', model: scriptedModel(...turns), tools, backend })
  }
  const parent = (): Run =>
    agent({
      name: 'parent',
      model: scriptedModel({ calls: [{ name: 'delegate', input: { task: 'Save' } }] }, 'Done.'),
      tools: { delegate: agentTool(child([save('a'), 'Saved.']), { description: 'Saves.' }) },
      backend: rememberPermissions(reasonAct(), { store }),
    }).start('Go')
  const first = parent()
  await approve(first)
  expect(await typeOf(first)).toBe('answer')
  expect(await store.list('parent')).toMatchObject([{ ask: { tool: 'save', from: { agent: 'child' } } }])

  expect(await typeOf(parent())).toBe('answer')
  expect(await typeOf(child([save('a')]).start('Go'))).toBe('inputNeeded')
  const [one] = await store.list('parent')
  await store.remove('parent', one?.id ?? '')
  expect(await typeOf(parent())).toBe('inputNeeded')
})

it('refuses options that it cannot use', () => {
  expect(() => rememberPermissions(reasonAct(), {} as never)).toThrow('needs a `store`')
  expect(() => rememberPermissions({} as never, { store: newStore() })).toThrow('goes around a backend')
  expect(() => rememberPermissions(reasonAct(), { store: newStore(), stores: 1 } as never)).toThrow('stores')
  expect(() => keyValuePermissionStore({} as never, { user: 'a' })).toThrow('get(key)')
  expect(() => keyValuePermissionStore(new Map(), { user: '' })).toThrow('`user`')
})

it.each([
  ['the store', (store: PermissionStore, id: string) => store.remove('saver', id)],
  [
    'the store, which fails then',
    (store: PermissionStore) => {
      store.list = () => Promise.reject(new Error('Away.'))
    },
  ],
] as const)('asks if the permission is gone before the call has started: %s', async (_, takeBack) => {
  const kept = newStore()
  await allowed(kept)
  const store = { ...kept }
  const { start, ran } = saver(store, { options: { onError() {} } })
  const run = start([save('b'), 'Done.'], {
    observers: [laws(), (event: AnyEvent) => event.type === 'permitted' && void takeBack(store, event.by)],
  })

  expect(await typeOf(run)).toBe('inputNeeded')
  expect(ran).toEqual([])
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true })

  expect(await typeOf(run)).toBe('answer')
  expect(ran).toEqual(['b'])
  expect(fold(run.log)).toEqual(run.state)
})

it('asks nothing if another permission allows the call by the time that it starts', async () => {
  const store = newStore()
  await allowed(store)
  const [permission] = await store.list('saver')
  const replace = async () => {
    await store.remove('saver', permission?.id ?? '')
    if (permission) await store.add('saver', { ...permission, id: 'another' })
  }
  let replacing: Promise<void> | undefined
  const replaced = {
    ...store,
    list: async (name: string) => {
      await replacing
      return store.list(name)
    },
  }
  const run = saver(replaced).start([save('b'), 'Done.'], {
    observers: [
      (event: AnyEvent) => {
        if (event.type === 'permitted') replacing ??= replace()
      },
    ],
  })

  expect(await typeOf(run)).toBe('answer')
  expect(run.log.some(({ type }) => type === 'revoked')).toBe(false)
})

it('asks if the permission was taken back while the page was away, before the call had started', async () => {
  const store = newStore()
  await allowed(store)
  const { start } = saver(store)
  const first = start([save('b'), 'Done.'], { id: 'r' })
  await first.settled
  const log = first.log.slice(0, first.log.findIndex(({ type }) => type === 'permitted') + 1)
  const [permission] = await store.list('saver')
  await store.remove('saver', permission?.id ?? '')

  const { describe, ran } = saver(store)
  const run = await describe([]).resume(savedRun(JSON.parse(JSON.stringify(log))))

  expect(await typeOf(run)).toBe('inputNeeded')
  expect(ran).toEqual([])
})

it('keeps permissions of one user while the store hangs for another one, and reads while it writes', async () => {
  const kept = newStore()
  await allowed(kept)
  const [one] = await kept.list('saver')
  if (!one) throw new Error('The store has no permission.')
  const texts = new Map<string, string>()
  const writes: (() => void)[] = []
  const values = {
    get: (key: string) => (key.includes('"ben"') ? new Promise<string>(() => {}) : texts.get(key)),
    set: (key: string, text: string) =>
      new Promise<void>((resolve) => writes.push(() => resolve(void texts.set(key, text)))),
  }
  const of = (user: string) => keyValuePermissionStore(values, { user })
  void of('ben').add('saver', one)

  const adding = of('ann').add('saver', one)
  const removing = of('ann').remove('saver', one.id)
  await expect.poll(() => writes).toHaveLength(1)
  const meanwhile = await of('ann').list('saver')
  writes[0]?.()
  await adding
  const added = await of('ann').list('saver')
  await expect.poll(() => writes).toHaveLength(2)
  writes[1]?.()
  await removing

  expect([meanwhile, added, await of('ann').list('saver')]).toEqual([[], [one], []])
})

it.each([undefined, Promise.resolve({})])(
  'asks the user if the function of the store returns %j, and says so',
  async (none) => {
    const errors: unknown[] = []
    const { start } = saver(() => none as never, { options: { onError: (error) => errors.push(error) } })

    expect(await typeOf(start([save('a')]))).toBe('inputNeeded')
    expect(errors).toMatchObject([{ message: expect.stringContaining('`store`') }])
  },
)
