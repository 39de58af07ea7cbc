import type { Event, Step, ToolSet } from '@interleave/core'
import { decorateJournal } from '@interleave/core/internal'
import type { AllowStore, Journal } from '@interleave/core/journal'
import type { RunContext } from '@interleave/core/steps'
import type { Life } from './life.ts'
import type { ToolName } from './scheduleTools.ts'

/** Breaks a rule on purpose: changes one of the parts that a page is made of. */
export interface Mutation {
  readonly journal?: (journal: Journal, life: Life) => Journal
  readonly tools?: (tools: ToolSet, life: Life) => ToolSet
  readonly backend?: (backend: Step, life: Life) => Step
  readonly allowed?: (store: AllowStore, life: Life) => AllowStore
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
