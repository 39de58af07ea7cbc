import type { Permission } from '@interleave/core/observe'
import {
  acknowledgesFirst,
  childrenMeet,
  fillsInAgain,
  forgotten,
  hastyOnce,
  heedlessOnce,
  ignoresStops,
  keepsLeave,
  type Mutation,
  misreading,
  overlooks,
  readsAhead,
  refusesTwice,
  savesByPromise,
  saysDurable,
  sharesInput,
  transformsEdits,
  unfenced,
} from './faults.ts'
import type { Rule } from './witness.ts'

/** A rule that is broken on purpose, and where that has to be found. */
export interface Mutant extends Mutation {
  readonly breaks: string
  readonly rule: Rule
  readonly scenario: string
}

/** One mutant for each invariant, and for each way in which one was broken before. */
export const mutants: readonly Mutant[] = [
  {
    breaks: 'a tool starts once its event is durable, by its position',
    rule: 'I1',
    scenario: 'two policies',
    backend: savesByPromise,
  },
  { breaks: 'a write is acknowledged when it is done', rule: 'I1', scenario: 'two calls', journal: acknowledgesFirst },
  { breaks: 'a transform is applied once', rule: 'I2', scenario: 'a call that is approved', tools: transformsEdits },
  {
    breaks: 'what a user changed stays as it was changed',
    rule: 'I2',
    scenario: 'a call that is approved',
    tools: fillsInAgain,
  },
  {
    breaks: 'an approval is for the input that was shown',
    rule: 'I2',
    scenario: 'a call that is approved',
    journal: misreading((event, { version: { currency, factor, prompt, description } }) => {
      if (event.type !== 'asked' || event.ask.kind !== 'approval') return event
      const schema = { ...event.ask.schema, description }
      return { ...event, ask: { ...event.ask, prompt, schema, input: { amount: 5 * factor, currency } } }
    }),
  },
  {
    breaks: 'a permission is for the tool and the input as they were shown',
    rule: 'I2',
    scenario: 'calls that are always allowed',
    journal: misreading((event, { version: { currency, factor, description } }) => {
      if (event.type !== 'asked' || event.ask.kind !== 'approval') return event
      const schema = { ...event.ask.schema, description }
      return { ...event, ask: { ...event.ask, schema, input: { amount: 5 * factor, currency } } }
    }),
  },
  {
    breaks: 'a permission that is taken back counts no more',
    rule: 'I2',
    scenario: 'a permission that is taken back',
    journal: misreading((event) => (event.type === 'revoked' ? forgotten(event) : event)),
  },
  {
    breaks: 'a permission for good is for the tool as it was shown',
    rule: 'I2',
    scenario: 'calls that are allowed for good',
    allowed: (store, { version: { currency, factor, description } }) => ({
      ...store,
      list: async (agent) =>
        (await store.list(agent)).map(({ ask, ...allowed }) => {
          const schema = { ...ask.schema, description }
          const input = { amount: 5 * factor, currency }
          return { ...allowed, input, ask: { ...ask, schema, input } }
        }),
    }),
  },
  {
    breaks: 'a permission for good that is taken back counts no more',
    rule: 'I2',
    scenario: 'calls that are allowed for good',
    allowed: (store) => {
      const all: Permission[] = []
      const add = (agent: string, allowed: Permission) => store.add(agent, allowed).then(() => void all.push(allowed))
      return { ...store, add, list: async (agent) => (await store.list(agent)).concat(all) }
    },
  },
  {
    breaks: 'every caller of a key waits until its value is durable',
    rule: 'I3',
    scenario: 'one key',
    tools: hastyOnce,
  },
  {
    breaks: 'what a user said or answered is durable when the promise resolves',
    rule: 'I3',
    scenario: 'two calls',
    journal: acknowledgesFirst,
  },
  {
    breaks: 'clients are shown what the journal has',
    rule: 'I4',
    scenario: 'a served run',
    journal: acknowledgesFirst,
  },
  {
    breaks: 'other tabs are shown what the journal has',
    rule: 'I4',
    scenario: 'a run in two tabs',
    journal: readsAhead,
  },
  {
    breaks: 'a node begins when the journal has that those before it are over',
    rule: 'I3',
    scenario: 'a graph',
    backend: saysDurable,
  },
  {
    breaks: 'a node that is over is not visited again',
    rule: 'I5',
    scenario: 'a graph',
    journal: misreading((event) =>
      event.type === 'noted' && event.key.startsWith('graph/') ? forgotten(event) : event,
    ),
  },
  {
    breaks: 'a call that acted on an answer is not run again unasked',
    rule: 'I5',
    scenario: 'two questions',
    journal: misreading((event) => {
      if (event.type !== 'replied') return event
      const { awaited: _, ...reply } = event
      return reply
    }),
  },
  {
    breaks: 'an effect beside a question is not run again unasked',
    rule: 'I5',
    scenario: 'an effect beside a question',
    journal: misreading((event) => (event.type === 'effectBegun' ? forgotten(event) : event)),
  },
  {
    breaks: 'no effect is begun once its call is over',
    rule: 'I5',
    scenario: 'an effect beside a question',
    tools: heedlessOnce,
  },
  {
    breaks: 'leave to run again is for one attempt',
    rule: 'I5',
    scenario: 'a call that is interrupted again',
    journal: keepsLeave,
  },
  {
    breaks: 'a call that is interrupted, here by its time, is not told to the model as failed',
    rule: 'I5',
    scenario: 'a call whose time is up',
    tools: (tools) => ({ ...tools, charge: { ...tools.charge, effect: 'idempotent' } }),
  },
  {
    breaks: 'a call that has its result moves no more',
    rule: 'I10',
    scenario: 'two calls',
    journal: misreading((event) => (event.type === 'observed' ? forgotten(event) : event)),
  },
  {
    breaks: 'a call that was begun is not run again unasked',
    rule: 'I5',
    scenario: 'two calls',
    journal: misreading((event) => (event.type === 'claimed' ? forgotten(event) : event)),
  },
  {
    breaks: 'a tool is given a copy of its input',
    rule: 'I6',
    scenario: 'a call that changes its input',
    ...sharesInput(),
  },
  {
    breaks: 'a run that came from elsewhere does nothing by itself',
    rule: 'I7',
    scenario: 'a run from elsewhere',
    journal: misreading((event) => {
      const isImport = event.type === 'imported' || (event.type === 'settled' && event.signal.type === 'stopped')
      return isImport ? forgotten(event) : event
    }),
  },
  {
    breaks: 'what was allowed elsewhere is not allowed here',
    rule: 'I7',
    scenario: 'calls that are always allowed',
    journal: misreading((event) => (event.type === 'imported' ? forgotten(event) : event)),
  },
  {
    breaks: 'a write whose answer is lost is not taken for another owner',
    rule: 'I8',
    scenario: 'lost answers',
    journal: overlooks,
  },
  {
    breaks: 'a run that is stopped asks no model',
    rule: 'live',
    scenario: 'a message that interrupts',
    backend: ignoresStops,
  },
  {
    breaks: 'a run goes on once the journal has room',
    rule: 'live',
    scenario: 'a full journal',
    journal: refusesTwice,
  },
  {
    breaks: 'one object of a child writes its log',
    rule: 'live',
    scenario: 'a child run that is stopped',
    backend: childrenMeet,
  },
  {
    breaks: 'what a child has begun is not run again unasked',
    rule: 'I5',
    scenario: 'a child run',
    journal: misreading((event, _, path) => (event.type === 'claimed' && path !== '' ? forgotten(event) : event)),
  },
  { breaks: 'only the latest owner writes', rule: 'owner', scenario: 'two owners', journal: unfenced },
  {
    breaks: 'what an earlier owner has begun is not run again unasked',
    rule: 'I5',
    scenario: 'two owners',
    journal: misreading((event) => (event.type === 'claimed' ? forgotten(event) : event)),
  },
]
