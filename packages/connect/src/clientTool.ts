import type { Json, Schema, ToolContext, ToolOptions } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Readying } from '@interleave/core/internal'
import {
  asking,
  assertOption,
  checkToolOptions,
  compileSchema,
  DEV,
  hasNote,
  interruptions,
} from '@interleave/core/internal'
import { callPage, hasTool, pageRegistry } from './page.ts'
import type { PageContext } from './pageCalls.ts'
import { pageLeases, wantedPageOf } from './pageLeases.ts'
import { fromWireError } from './toolCalls.ts'
import { until } from './wait.ts'

/** The worker's options of a page tool: those of a tool, without `execute`. */
export interface ClientToolOptions<Input, Output> extends Omit<ToolOptions<Input, Output>, 'execute'> {
  /** The schema of the result of the page's function. */
  outputSchema?: Schema<Output>
}

/** A tool whose function is in the page: `workerAgent(worker, name, { tools })`. */
export interface PageTool<Input, Output> extends ToolOptions<Input, Output> {
  /** For inference only; never set. */
  readonly inPage?: (input: Input) => Output
}

/** Page tools by name, as the worker declares them. */
export type ClientToolTypes = Readonly<Record<string, Pick<PageTool<never, unknown>, 'inPage'>>>
/** The function that each of them needs. */
export type PageFunctions<Tools extends ClientToolTypes> = {
  readonly [Name in keyof Tools]: Tools[Name] extends { readonly inPage?: (input: infer Input) => infer Output }
    ? (input: Input, context: PageContext) => Output | PromiseLike<Output>
    : never
}

/**
 * Declares a tool that a page runs, because only the page has what it needs: the document, the clipboard, a map.
 * Exactly one page runs a call: among those that show the run and have the function, the most recently used one.
 * Without such a page, the run asks for one, and continues when it opens. If the page closes during the call, `effect`
 * decides as after a crash.
 */
export function clientTool<Input, Output>(options: ClientToolOptions<Input, Output>): PageTool<Input, Output> {
  checkToolOptions('clientTool()', options)
  assertOption(
    !('execute' in options),
    DEV && 'The function of a clientTool() is in the page: pass it there, to workerAgent() or remoteAgent().',
  )
  const output = options.outputSchema && compileSchema(options.outputSchema, 'The output of a page tool')
  const execute = async (input: Input, context: ToolContext): Promise<Output> => {
    const result = await runInPage(input, context)
    const checked = output ? await output.check(result) : ({ ok: true, value: result } as const)
    if (checked.ok) return checked.value as Output
    throw new AgentError('tool_failed', `The output of the page does not fit the output schema: ${checked.message}`)
  }
  return Object.assign({ ...options, execute }, { ready: waitForPage, interruptions })
}

/** Waits for a page before the call starts. Other processes learn of it first, so that no user is asked in vain. */
async function waitForPage(readying: Readying): Promise<void> {
  const { run, call, activity } = readying
  const { name: tool, key } = call
  const { runId } = run.state
  const fits = hasTool(tool, runId)
  const id = `${key}/ask/page`
  if (hasNote(run.state, id, key)) throw skipped(tool)
  if (pageRegistry.findPage(fits)) return activity.settle(id)
  const over = new AbortController()
  const coming = Promise.race([
    pageRegistry.nextPage(fits, over.signal),
    pageLeases.nextLease({ call: `${runId}/${key}`, tool }, over.signal),
  ]).then(() => true)
  try {
    if (!(await isOfferedSoon(readying, coming))) await askForPage(readying, { id, coming })
  } finally {
    over.abort()
  }
  activity.settle(id)
}

/** Emits a note for other processes. Returns true if one of them offers a page soon. */
async function isOfferedSoon({ run, call: { name, key } }: Readying, coming: Promise<boolean>): Promise<boolean> {
  const { runId, asks } = run.state
  const withinMs = pageLeases.withinMs(runId)
  if (withinMs === undefined || asks.some(({ id }) => id === `${key}/ask/page`)) return false
  run.emit({ type: 'noted', call: key, key: wantedPageOf(key), value: name })
  await run.durable()
  return until(coming, { ms: withinMs, onTimeout: () => false })
}

async function askForPage(
  { call: { name: tool }, activity }: Readying,
  { id, coming }: { readonly id: string; readonly coming: Promise<unknown> },
): Promise<void> {
  const skip = activity.ask(
    id,
    asking<'skip'>({
      kind: 'choice',
      prompt: `${tool} needs an open page that shows this run and can run the tool. Open one, or continue without it.`,
      options: [{ value: 'skip', label: 'Go on without it' }],
      pageFor: tool,
    }),
  )
  // It is open by then: a question that is not yet open could not be withdrawn.
  await undefined
  const answer = await Promise.race([skip, coming])
  // It is withdrawn next.
  skip.catch(() => {})
  if (answer === 'skip') throw skipped(tool)
}

const skipped = (tool: string): AgentError =>
  new AgentError('tool_skipped', `No page was open that can run ${tool}, and the user decided to continue without it.`)

async function runInPage(input: unknown, context: ToolContext): Promise<Json> {
  const { toolName: name, toolCallId, runId, idempotencyKey, abortSignal } = context
  const call = { type: 'tool', name, input, toolCallId, runId, idempotencyKey } as const
  const answer = await callPage(call, abortSignal, pageLeases.useLease(idempotencyKey))
  if (!answer) throw new AgentError('tool_interrupted', `The page that ran ${name} has closed.`)
  if (answer.type === 'failed') throw fromWireError(answer.error)
  return answer.value
}
