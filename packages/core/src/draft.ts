import type { AnyEvent, Delta, LiveEvent, Progressed, SavingTrouble } from './event.ts'
import type { Json } from './json.ts'

/** The part of an unfinished turn that has arrived: shown while it streams, dropped once the turn is in the log. */
export interface Draft {
  readonly iteration: number
  /** Messages with a lower `seq` may be in its prompt. */
  readonly readUntil?: number
  readonly text: string
  readonly reasoning: string
  /** Inputs of calls as they stream in, by the provider's id. */
  readonly inputs: Readonly<Record<string, { readonly tool: string; readonly text: string }>>
  /** Preliminary outputs of running tools, by call key. */
  readonly progress: Readonly<Record<string, Json>>
}

/** Returns the draft after a live event. Messages with a `seq` below `readUntil` may be in the prompt of a new turn. */
export function reduceDraft(
  draft: Draft | undefined,
  event: LiveEvent,
  iteration: number,
  readUntil?: number,
): Draft | undefined {
  switch (event.type) {
    case 'delta':
      return grow(draft ?? emptyDraft(iteration + 1), event)
    case 'thinking':
      return emptyDraft(event.iteration, event.readUntil ?? readUntil)
    case 'retrying':
      return emptyDraft(iteration + 1, draft?.readUntil)
    case 'progressed': {
      const base = draft ?? emptyDraft(iteration)
      return { ...base, progress: { ...base.progress, [event.call]: event.output } }
    }
    case 'rewound':
      return undefined
    case 'dropped':
    case 'owned':
    case 'connection':
    case 'sending':
    case 'saving':
      return draft
  }
}

/** Returns live events that reproduce this draft, for a client that joins in the middle of a turn. */
export function draftEvents(draft: Draft | undefined): readonly LiveEvent[] {
  if (!draft) return []
  const { iteration, readUntil, text, reasoning, inputs, progress } = draft
  return [
    { type: 'thinking', iteration, ...(readUntil !== undefined && { readUntil }) },
    ...(reasoning ? [{ type: 'delta', kind: 'reasoning', delta: reasoning } as const] : []),
    ...(text ? [{ type: 'delta', kind: 'text', delta: text } as const] : []),
    ...Object.entries(inputs).map(
      ([id, input]) => ({ type: 'delta', kind: 'input', id, tool: input.tool, delta: input.text }) as const,
    ),
    ...Object.entries(progress).map(([call, output]) => ({ type: 'progressed', call, output }) as const),
  ]
}

interface Unlogged {
  readonly draft?: Draft | undefined
  readonly saving?: SavingTrouble | undefined
}

/** Returns live events that reproduce the part of a state that no log has, for a client that joins. */
export const liveEventsOf = ({ draft, saving }: Unlogged): readonly LiveEvent[] =>
  saving ? [...draftEvents(draft), { type: 'saving', trouble: saving }] : draftEvents(draft)

const emptyDraft = (iteration: number, readUntil?: number): Draft => {
  const empty = { iteration, text: '', reasoning: '', inputs: none, progress: none }
  return readUntil === undefined ? empty : { ...empty, readUntil }
}
const none = /* @__PURE__ */ Object.freeze({})

function grow(draft: Draft, { kind, delta, id = '', tool }: Delta): Draft {
  if (kind === 'text') return { ...draft, text: draft.text + delta }
  if (kind === 'reasoning') return { ...draft, reasoning: draft.reasoning + delta }
  // A provider's id is a new string, which the engine has to intern for each look-up.
  const known = draft.inputs !== none && Object.hasOwn(draft.inputs, id) ? draft.inputs[id] : undefined
  if (!known && !mayOpen(draft, id)) return draft
  // Without a prototype, so that the engine creates no hidden class for an id that occurs once.
  const inputs: Record<string, Draft['inputs'][string]> = Object.create(null)
  for (const other in draft.inputs) inputs[other] = draft.inputs[other] as Draft['inputs'][string]
  inputs[id] = { tool: tool ?? known?.tool ?? '', text: (known?.text ?? '') + delta }
  return { ...draft, inputs }
}

/** The limit of inputs in a draft, since each chunk rebuilds all of them. Others appear when the turn is complete. */
const mostInputs = 100

const mayOpen = ({ inputs }: Draft, id: string): boolean =>
  id !== '__proto__' && Object.keys(inputs).length < mostInputs

/** Merges two consecutive live events into one; undefined if they cannot be merged. */
export function joinLive(before: AnyEvent, event: AnyEvent): Delta | Progressed | undefined {
  if (before.type === 'progressed' && event.type === 'progressed') return before.call === event.call ? event : undefined
  if (before.type !== 'delta' || event.type !== 'delta') return undefined
  if (before.kind !== event.kind || before.id !== event.id || before.tool !== event.tool) return undefined
  return { ...before, delta: before.delta + event.delta }
}

/** Queues an event. Merges it with the previous one if it continues the same text, so that the queue stays short. */
export function addLive(queue: AnyEvent[], event: AnyEvent): void {
  const last = queue.at(-1)
  const joined = last && joinLive(last, event)
  if (joined) queue[queue.length - 1] = joined
  else queue.push(event)
}
