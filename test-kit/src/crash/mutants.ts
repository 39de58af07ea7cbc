import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { observer } from '@interleave/core/observe'
import type { Life, WorldOptions } from './world.ts'

/** A rule that is broken on purpose, around the journal or the tools, and a script that has to suffer from it. */
interface Mutant {
  readonly rule: string
  readonly script: string
  readonly mutate: NonNullable<WorldOptions['mutate']>
}

const withJournal = (life: Life, change: Partial<Journal>): Life => ({
  ...life,
  journal: { ...life.journal, ...change },
})

/** A life that reads events otherwise than they were written. */
const misreading =
  (misread: (event: Event) => Event): Mutant['mutate'] =>
  (life) =>
    withJournal(life, {
      read: async (id, from) => (await life.journal.read(id, from)).map(misread),
    })

export const mutants: readonly Mutant[] = [
  {
    rule: 'writes that are acknowledged before they are kept',
    script: 'a tool after another',
    mutate(life) {
      let late: Promise<unknown> = Promise.resolve()
      const append: Journal['append'] = (...given) => {
        late = late.then(() => life.journal.append(...given)).catch(() => {})
      }
      return withJournal(life, { append })
    },
  },
  {
    rule: 'an idempotency key that differs with each life',
    script: 'tools side by side',
    mutate(life, world) {
      const lives = world.crashes
      return { ...life, does: (deed) => life.does({ ...deed, key: lives > 0 ? `${deed.key} ${lives}` : deed.key }) }
    },
  },
  {
    rule: 'tools that run before their call is kept',
    script: 'a tool after another',
    mutate(life) {
      const done = new Set<string>()
      const onThought = ({ iteration, parts }: Extract<Event, { type: 'thought' }>): void => {
        for (const part of parts) {
          if (part.type !== 'tool-call') continue
          const key = `r/${iteration}/tool/0`
          done.add(key)
          void life.does({ kind: 'tool', name: part.toolName, key, input: { n: 0 } })
        }
      }
      const does: Life['does'] = async (deed) => (done.has(deed.key) ? undefined : life.does(deed))
      return { ...life, does, observers: [observer({ onThought })] }
    },
  },
  {
    rule: 'a resume that forgets that a call was begun',
    script: 'a tool after another',
    mutate: misreading((event) =>
      event.type === 'claimed'
        ? { seq: event.seq, at: event.at, iteration: event.iteration, type: 'noted', key: 'forgotten', value: 0 }
        : event,
    ),
  },
  {
    rule: 'a resume that loses the count of attempts',
    script: 'a model that fails',
    mutate: misreading((event) =>
      event.type === 'noted' && event.key.startsWith('retries/') ? { ...event, value: null } : event,
    ),
  },
  {
    rule: 'a resume that forgets what was done once',
    script: 'a tool that asks',
    mutate: misreading((event) =>
      event.type === 'noted' && event.key.includes('/once/') ? { ...event, key: 'forgotten' } : event,
    ),
  },
  {
    rule: 'a resume that takes a tool that went on with an answer for one that waits',
    script: 'a tool that asks',
    mutate: misreading((event) => {
      if (event.type !== 'replied') return event
      const { awaited: _, ...reply } = event
      return reply
    }),
  },
  {
    rule: 'a journal that loses the last event it was given',
    script: 'tools side by side',
    mutate: (life) =>
      withJournal(life, {
        append: (id, events, options) =>
          life.journal.append(id, events.length > 1 ? events.slice(0, -1) : events, options),
      }),
  },
]
