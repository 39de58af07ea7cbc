import type { Ask, Run, RunState, Signal, Usage } from '@interleave/core'
import { isOver, sameJson } from '@interleave/core/internal'
import {
  type ChatMessage,
  messagesOf,
  type Permission,
  type RunAsk,
  type ScratchpadEntry,
  scratchpad,
} from '@interleave/core/observe'
import { useCallback } from 'react'
import { useRun } from './useRun.ts'

/**
 * Returns the chat messages of a run, oldest first: user messages, texts including the streaming one, tool calls,
 * questions and their answers. A finished message keeps its identity, so a memoised component renders only while its
 * message grows. For a run of a typed agent, calls have the types of its tools.
 *
 * @example
 * const messages = useMessages(run)
 * return messages.map((message) => <Message key={message.key} message={message} />)
 */
export function useMessages<Of extends Run = Run>(run: Of | undefined): readonly ChatMessage<Of>[] {
  const select = useCallback((state: RunState) => (run ? messagesOf<Of>(run, state) : noMessages), [run])
  return useRun(run, select)
}
const noMessages: readonly never[] = []

/** Returns the thoughts, actions and observations of a run, oldest first. A finished entry keeps its identity. */
export const useScratchpad = (run: Run | undefined): readonly ScratchpadEntry[] => useRun(run, scratchpad)

/** The tokens and cost of a run: in total, and for each turn that its history still has. */
export interface RunUsage {
  readonly total: Usage
  readonly iterations: readonly IterationUsage[]
}
export interface IterationUsage {
  readonly iteration: number
  readonly usage: Usage
  /** The duration of the model call, in milliseconds. */
  readonly ms: number
}

/** Returns the tokens and cost of a run; the same object until the next turn finishes. */
export const useUsage = (run: Run | undefined): RunUsage => useRun(run, usageOf)

const perTotal = new WeakMap<Usage, RunUsage>()

export function usageOf(state: RunState): RunUsage {
  const { usage: total } = state
  // Each turn creates a new total.
  const known = perTotal.get(total)
  if (known) return known
  const iterations = scratchpad(state).flatMap((entry) =>
    entry.type === 'thought' ? [{ iteration: entry.iteration, usage: entry.usage, ms: entry.ms }] : [],
  )
  const usage: RunUsage = { total, iterations }
  perTotal.set(total, usage)
  return usage
}

/** The status of a run. `settled`: it has answered, failed or was stopped. `idle`: there is no run. */
export type RunStatus<Output = unknown> =
  | { readonly status: 'idle'; readonly signal?: undefined }
  | { readonly status: 'working'; readonly signal?: undefined }
  | { readonly status: 'waiting'; readonly signal: Extract<Signal<Output>, { type: WaitingType }> }
  | { readonly status: 'settled'; readonly signal: Exclude<Signal<Output>, { type: WaitingType }> }

type WaitingType = 'inputNeeded' | 'limitReached'

/** Returns the status of a run and, if it has paused or finished, its signal. Comparing `status` narrows `signal`. */
export const useStatus = <Output>(run: Run<Output> | undefined): RunStatus<Output> =>
  useRun(run, statusOf<Output>, isSameStatus)

const isSameStatus = (a: RunStatus, b: RunStatus): boolean => a.status === b.status && a.signal === b.signal

export function statusOf<Output>({ signal: last, seq, sending }: RunState): RunStatus<Output> {
  if (!last) return { status: seq === 0 && !sending ? 'idle' : 'working' }
  // The output of an answer has passed the agent's own schema.
  const signal = last as Signal<Output>
  return isWaiting(signal) ? { status: 'waiting', signal } : { status: 'settled', signal }
}

const isWaiting = <Output>(signal: Signal<Output>): signal is SignalOf<Output, WaitingType> => !isOver(signal.type)

type SignalOf<Output, Type extends Signal['type']> = Extract<Signal<Output>, { readonly type: Type }>

/**
 * Returns the signal of a paused or finished run, or undefined while it runs. With a type, only a signal of that type.
 *
 * @example
 * const failed = useSignal(run, 'failed')
 * if (failed) return <p role="alert">{userMessageOf(failed.error)}</p>
 */
export function useSignal<Output, Type extends Signal['type'] = Signal['type']>(
  run: Run<Output> | undefined,
  type?: Type,
): SignalOf<Output, Type> | undefined {
  const select = useCallback(
    ({ signal }: RunState) =>
      type === undefined || signal?.type === type ? (signal as SignalOf<Output, Type>) : undefined,
    [type],
  )
  return useRun(run, select)
}

/**
 * Returns the open questions of a run, oldest first. For a run of a typed agent, comparing `tool` of an approval narrows
 * its `input`.
 */
export function useAsks<Of extends Run = Run>(run: Of | undefined): readonly RunAsk<Of>[] {
  const select = useCallback(({ asks }: RunState) => (run ? knownAsks(run, asks) : asks), [run])
  // The input of a call has passed the schema of its tool.
  return useRun(run, select) as readonly RunAsk<Of>[]
}

export const asksOf = (state: RunState): readonly Ask[] => state.asks

const latestAsks = new WeakMap<Run, readonly Ask[]>()

/**
 * Returns the questions that were open before, if these are the same. After a lost connection a server sends them again:
 * a dialog that was put off stays closed, and a reply that is on its way is not sent twice.
 */
function knownAsks(run: Run, asks: readonly Ask[]): readonly Ask[] {
  const before = latestAsks.get(run)
  if (before && (before === asks || sameJson(before, asks))) return before
  latestAsks.set(run, asks)
  return asks
}

/** Returns the permissions that a run has, oldest first. */
export const permissionsOf = ({ permissions = none }: RunState): readonly Permission[] => permissions
const none: readonly Permission[] = []

/** The part of the streaming turn that has arrived. */
export type Draft = NonNullable<RunState['draft']>

/** Returns the part of the streaming turn that has arrived; undefined between turns. */
export const useDraft = (run: Run | undefined): Draft | undefined => useRun(run, draftOf)

export const draftOf = (state: RunState): Draft | undefined => state.draft
