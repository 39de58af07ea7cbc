import { awaitsThought } from '../../openCalls.ts'
import type { UserContent } from '../../part.ts'
import type { RunContext } from '../../run.ts'
import type { RunState } from '../../state.ts'
import type { MemoryItem } from './memory.ts'
import { attempt, namespaceOf, type Remembering } from './remembering.ts'

/** Reminds the model once per request, before its first turn, in a message next to the user's. */
export async function recall(run: RunContext, remembering: Remembering): Promise<void> {
  const { pending, iteration, request, notes } = run.state
  const asked = pending.filter(({ by }) => by === 'user')
  const latest = asked.at(-1)
  if (!latest || iteration !== request.iteration || !awaitsThought(run.state)) return
  const key = `memory/recall/${latest.seq}`
  if (Object.hasOwn(notes, key)) return
  const { memory, limit } = remembering
  const query = asked.map(({ content }) => wordsOf(content)).join('\n')
  const known = knownTo(run.state)
  const options = { namespace: namespaceOf(remembering, run.state), limit: limit + known.size }
  const found = await attempt(run, remembering, (abortSignal) => memory.search(query, { ...options, abortSignal }))
  if (run.abortSignal.aborted) return
  const items = (found ?? []).filter(({ id }) => !known.has(id)).slice(0, limit)
  // Noted also where nothing was found, or nothing could be: the request is not held up by it again.
  run.emit({ type: 'noted', key, value: items.map(({ id }) => id) })
  if (items.length > 0) run.emit({ type: 'said', by: 'agent', content: toReminder(items) })
}

/** Returns the ids of items that the conversation already contains: reminders, and its own items. */
function knownTo({ notes, compactions }: RunState): ReadonlySet<unknown> {
  // After a compaction it may be out of sight.
  if (compactions > 0) return new Set()
  return new Set(Object.entries(notes).flatMap(([key, value]) => (key.startsWith('memory/') ? value : [])))
}

/** The words of a message, of which there are enough at some point. */
export const wordsOf = (content: UserContent, longest = 2_000): string =>
  (typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'))
    .trim()
    .slice(0, longest)

const toReminder = (items: readonly MemoryItem[]): string =>
  `From earlier conversations, and of use only where it bears on this one:\n\n${items.map(toLine).join('\n')}`

const toLine = ({ text }: MemoryItem): string => `- ${text.slice(0, 4_000).replaceAll('\n', '\n  ')}`
