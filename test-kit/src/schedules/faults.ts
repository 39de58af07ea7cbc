import type { Event, Step, ToolSet } from '@interleave/core'
import { decorateJournal, latestTurn } from '@interleave/core/internal'
import type { Journal, PermissionStore } from '@interleave/core/journal'
import type { RunContext } from '@interleave/core/steps'
import type { Life } from './life.ts'
import type { ToolName } from './scheduleTools.ts'

/** Breaks a rule on purpose: changes one of the parts that a page is made of. */
export interface Mutation {
  readonly journal?: (journal: Journal, life: Life) => Journal
  readonly tools?: (tools: ToolSet, life: Life) => ToolSet
  readonly backend?: (backend: Step, life: Life) => Step
  readonly allowed?: (store: PermissionStore, life: Life) => PermissionStore
}

/** The steps are given another run than the one that works. */
export const withRun =
  (change: (run: RunContext) => object): NonNullable<Mutation['backend']> =>
  (backend) => {
    const changed = new WeakMap<RunContext, RunContext>()
    const step: Step = (run) => {
      const known = changed.get(run) ?? Object.create(run, Object.getOwnPropertyDescriptors(change(run)))
      changed.set(run, known)
      return backend(known)
    }
    // A graph has a name, and no function takes another one.
    const { name: _, ...needs } = backend
    return Object.assign(step, needs)
  }

export type Execute = (input: unknown, context: { readonly idempotencyKey: string }) => unknown

/** Changes the function of one tool. */
export const withTool =
  (name: ToolName, change: (execute: Execute, life: Life) => Execute): NonNullable<Mutation['tools']> =>
  (tools, life) => {
    const original = tools[name] as { readonly execute: Execute }
    return { ...tools, [name]: { ...original, execute: change(original.execute, life) } }
  }

/** A page that is loaded reads events otherwise than they were written. */
export const misreading =
  (misread: (event: Event, life: Life, path: string) => Event): NonNullable<Mutation['journal']> =>
  (journal, life) =>
    decorateJournal(journal, () => ({
      read: async (id, from) => (await journal.read(id, from)).map((event) => misread(event, life, life.pathOf(id))),
    }))

/** The event as one that means nothing. */
export const forgotten = ({ seq, at, iteration }: Event): Event => ({
  seq,
  at,
  iteration,
  type: 'noted',
  key: 'forgotten',
  value: seq,
})

/** Leave to run a call again counts for all later attempts. */
export const keepsLeave: NonNullable<Mutation['journal']> = (journal) =>
  decorateJournal(journal, () => ({
    async read(id, from) {
      const left = new Set<string>()
      return (await journal.read(id, from)).map((event) => {
        const call = event.type === 'replied' && event.value === 'again' && event.ask.split('/interruption')[0]
        if (call) left.add(call)
        return event.type === 'claimed' && left.has(event.call) ? forgotten(event) : event
      })
    },
  }))

/** A write that is over counts for what was added since, until the promise of it is cleared: for one microtask. */
export const savesByPromise: NonNullable<Mutation['backend']> = withRun((run) => {
  let saving: Promise<void> | undefined
  const save = async (): Promise<void> => {
    for (let left = run.durable('strict'); left; left = run.durable('strict')) await left
  }
  return {
    get durableSeq() {
      return run.state.seq
    },
    durable() {
      if (!saving && !run.durable()) return undefined
      saving ??= save().finally(() => {
        saving = undefined
      })
      return saving
    },
  }
})

/** The journal says that it has written what it is about to write. */
export function acknowledgesFirst(journal: Journal): Journal {
  let late: Promise<unknown> = Promise.resolve()
  return decorateJournal(journal, () => ({
    append(...given) {
      late = late.then(() => journal.append(...given)).catch(() => {})
    },
  }))
}

/** A read gives also what is being written. */
export function readsAhead(journal: Journal): Journal {
  let writing: readonly Event[] = []
  return decorateJournal(journal, () => ({
    async append(id, events, options) {
      writing = events
      await journal.append(id, events, options)
    },
    async read(id, from = 0) {
      const kept = await journal.read(id, from)
      return [...kept, ...writing.filter(({ seq }) => seq >= from + kept.length)]
    },
  }))
}

/** An owner does not see that its write came through, whose answer was lost. */
export const overlooks = (journal: Journal): Journal =>
  decorateJournal(journal, () => ({ read: (id, from) => (from ? [] : journal.read(id, from)) }))

/** The run says that everything is durable. */
export const saysDurable: NonNullable<Mutation['backend']> = withRun(() => ({ durable: () => undefined }))

/** The journal refuses once more, some writes later, what it has refused. */
export function refusesTwice(journal: Journal): Journal {
  let refusals: unknown[] = []
  return decorateJournal(journal, () => ({
    async append(...given) {
      const [refusal] = refusals.length > 2 ? refusals : []
      if (refusal) {
        refusals = []
        throw refusal
      }
      await Promise.resolve(journal.append(...given)).catch((error: unknown) => {
        refusals.push(error)
        throw error
      })
      if (refusals.length > 0) refusals.push(refusals[0])
    },
  }))
}

/** Applies the transform of the schema again to the user's change. */
export const transformsEdits: NonNullable<Mutation['tools']> = withTool(
  'pay',
  (execute, { version }) =>
    (input, context) => {
      const given = input as { readonly amount: number; readonly currency: string }
      const isEdited = given.currency !== version.currency
      return execute(isEdited ? { ...given, amount: given.amount * version.factor } : input, context)
    },
)

/** Shows an approved input in one way, and has the tool fill in its default again. */
export const fillsInAgain: NonNullable<Mutation['tools']> = withTool(
  'pay',
  (execute, { version }) =>
    (input, context) => {
      return execute({ ...(input as object), currency: version.currency }, context)
    },
)

/** The second caller of a key is given the value at once. */
export const hastyOnce: NonNullable<Mutation['tools']> = withTool('quote', (execute): Execute => {
  const values = new Map<string, unknown>()
  return (input, context) => {
    const { once } = context as unknown as { once(key: string, fn: () => unknown): Promise<unknown> }
    const hasty = async (key: string, fn: () => unknown): Promise<unknown> => {
      if (values.has(key)) return values.get(key)
      return once(key, async () => {
        const value = await fn()
        values.set(key, value)
        return value
      })
    }
    return execute(input, Object.create(context, { once: { value: hasty } }))
  }
})

/** An effect that the engine does not begin any more, since its call is over, is begun all the same. */
export const heedlessOnce: NonNullable<Mutation['tools']> = withTool('book', (execute): Execute => {
  return (input, context) => {
    const { once } = context as unknown as { once(key: string, fn: () => unknown): Promise<unknown> }
    const heedless = async (key: string, fn: () => unknown): Promise<unknown> => {
      let isBegun = false
      const begin = (): unknown => {
        isBegun = true
        return fn()
      }
      return once(key, begin).catch((error) => {
        if (isBegun) throw error
        return fn()
      })
    }
    return execute(input, Object.create(context, { once: { value: heedless } }))
  }
})

/** The tool is given the input that the state has. */
export function sharesInput(): Mutation {
  const runs = new WeakMap<Life, RunContext>()
  const inputOf = (run: RunContext | undefined, key: string): unknown =>
    run && latestTurn(run.state)?.calls.find((call) => key.endsWith(`/${call.key}`))?.input
  return {
    backend: (backend, life) =>
      Object.assign((run: RunContext) => {
        runs.set(life, run)
        return backend(run)
      }, backend),
    tools: withTool('change', (execute, life) => (input, context) => {
      return execute(inputOf(runs.get(life), context.idempotencyKey) ?? input, context)
    }),
  }
}

/** A step that does not notice when the run is stopped. */
export const ignoresStops: NonNullable<Mutation['backend']> = withRun(() => ({
  abortSignal: new AbortController().signal,
}))

/** A child that is resumed does not wait for its previous object. */
export const childrenMeet: NonNullable<Mutation['backend']> = withRun(() => ({
  children: { get: () => undefined, set: () => {}, values: () => [] },
}))

/** Writes do not say which claim they belong to. */
export const unfenced = (journal: Journal): Journal =>
  decorateJournal(journal, () => ({
    append: (id, events, { epoch: _, ...options } = {}) => journal.append(id, events, options),
  }))
