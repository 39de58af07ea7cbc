import type { Ask } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Gate } from './gates.ts'
import { pathOf } from './logs.ts'
import type { Page } from './page.ts'
import type { Disturbance } from './scenarios.ts'

/** Something that may happen next. */
export interface Action {
  readonly name: string
  /** The kind of disturbance that it counts as. */
  readonly counts?: Disturbance
  /** For another page that is loaded: which of this page's pending writes the journal has, or that this page works on. */
  readonly ends?: 'kept' | 'lost' | 'moved' | 'shared'
  do?(): Promise<void> | undefined
}

/** The actions that happen by themselves, in the order in which they began. One of these is always enough for the run to continue. */
export function usualActions(page: Page): readonly Action[] {
  const { gates } = page.life
  const actions = [...gates.waiting.map(opens), ...page.asks.map((ask) => replies(page, ask, agreeing(page, ask)))]
  const { signal } = page.run?.state ?? {}
  const error = page.failure ?? (signal?.type === 'failed' && signal.error)
  if (page.life.isOvertaken && isConflict(error)) actions.push({ name: 'load again', ends: 'lost' })
  else if (signal?.type === 'failed' || signal?.type === 'stopped')
    actions.push({ name: 'resume', do: act(() => page.resume()) })
  return actions
}

const isConflict = (error: unknown): boolean => (error as Error & { code?: unknown })?.code === 'journal_conflict'

/** The actions in a page whose run another page has continued. */
export const awayActions = (page: Page): readonly Action[] => page.life.gates.waiting.map(opens)

/** The actions of a user there. */
export const lateActions = (page: Page): readonly Action[] =>
  page.asks.map((ask) => ({ ...replies(page, ask, agreeing(page, ask)), counts: 'late' }))

/** The actions if no other is possible: a patient user waits for a timer. */
export const lastActions = (page: Page): readonly Action[] => (page.life.timers.size > 0 ? [rings(page)] : [])

/** The disturbances of the run. */
export function disturbances(page: Page): readonly Action[] {
  const { gates, timers } = page.life
  const { run } = page
  const writes = gates.waiting.filter(({ writeOf }) => writeOf !== undefined)
  const actions: Action[] = [
    { name: 'crash', counts: 'crash', ends: 'lost' },
    { name: 'move', counts: 'move', ends: 'moved' },
    { name: 'take over', counts: 'takeover', ends: 'shared' },
  ]
  if (writes.length > 0) actions.push({ name: 'crash after the write', counts: 'crash', ends: 'kept' })
  for (const write of writes) actions.push(refuses(page, write), loses(write))
  for (const ask of page.asks) actions.push(...otherReplies(page, ask))
  if (timers.size > 0) actions.push(rings(page))
  const { opened } = page
  if (opened?.look) actions.push({ name: 'look', counts: 'look', do: () => opened.look?.() })
  if (!run) return actions
  if (!run.state.signal) actions.push({ name: 'stop', counts: 'stop', do: act(() => page.stop()) })
  for (const { id } of run.state.permissions ?? [])
    actions.push({ name: `revoke ${id}`, counts: 'revoke', do: act(() => page.revoke(id)) })
  for (const { id } of page.life.witness.allowed) {
    const takeBack = act(() => page.life.witness.takesBack(id))
    actions.push({ name: `take back ${id}`, counts: 'takeBack', do: takeBack })
  }
  actions.push({ name: 'say', counts: 'say', do: act(() => page.say(`say ${run.state.seq}`)) })
  if (!run.state.signal)
    actions.push({
      name: 'say now',
      counts: 'hurry',
      do: act(() => page.say(`hurry ${run.state.seq}`, { now: true })),
    })
  return actions
}

const act = (work: () => void) => (): undefined => {
  work()
}

const opens = (gate: Gate): Action => ({ name: gate.name, do: () => gate.open() })

const rings = ({ life }: Page): Action => ({ name: 'timer', counts: 'timer', do: act(() => life.timers.ring()) })

const refuses = (page: Page, gate: Gate): Action => ({
  name: `refuse ${gate.name}`,
  counts: 'refuse',
  do: act(() => {
    page.excuse(gate.writeOf !== '')
    gate.fail(new AgentError('journal_full', 'There is no room.'))
  }),
})

const loses = (gate: Gate): Action => ({
  name: `lose the answer of ${gate.name}`,
  counts: 'lose',
  do: act(() => gate.lose(new AgentError('journal_failed', 'The connection broke.', { retryable: true }))),
})

const replies = (page: Page, ask: Ask, value: unknown): Action => ({
  name: `reply ${ask.id} ${JSON.stringify(value)}`,
  do: act(() => page.reply(ask, value)),
})

function otherReplies(page: Page, ask: Ask): readonly Action[] {
  if (ask.kind !== 'approval') return []
  const edited = { approved: true, input: { ...(ask.input as object), currency: 'USD' } }
  const actions: Action[] = [
    { ...replies(page, ask, edited), counts: 'edit' },
    { ...replies(page, ask, { approved: false, reason: 'No.' }), counts: 'refusal' },
    { ...replies(page, ask, { approved: true, remember: 'tool' }), counts: 'always' },
    { ...replies(page, ask, { ...edited, remember: 'input' }), counts: 'always' },
    { ...replies(page, ask, { approved: true, remember: 'input' }), counts: 'always' },
  ]
  for (const remember of ask.persistent ? ['tool', 'input'] : [])
    actions.push({ ...replies(page, ask, { approved: true, remember, persistent: true }), counts: 'always' })
  const stale = page.staleView(ask)
  if (stale)
    actions.push({ ...replies(page, stale, { approved: true }), name: `reply to old ${ask.id}`, counts: 'stale' })
  return actions
}

/** Returns the answer of a user, who looks whether something happened. */
function agreeing(page: Page, ask: Ask): unknown {
  const { id, kind } = ask
  if (ask.about === 'interruption') {
    const call = pathOf(id).replace(/\/interruption(?:~re\d+)?$/, '')
    return page.life.witness.deeds.some((deed) => deed.call === call) ? 'done' : 'again'
  }
  return { approval: { approved: true }, choice: 'a', confirm: true }[kind as string] ?? null
}
