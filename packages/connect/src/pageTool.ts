import type { Json, ToolContext, ToolOptions } from '@interleave/core'
import { AgentError, localHost } from '@interleave/core'
import type { Readying } from '@interleave/core/internal'
import { asking, compileSchema, demand } from '@interleave/core/internal'
import { lentPages, wantedPageOf } from './lentPages.ts'
import type { Page } from './page.ts'
import { pageRoll } from './pageRoll.ts'
import { fromWireError } from './wireError.ts'

/** The worker's options of a page tool: those of a tool, without `execute`. */
export type PageToolOptions<Input, Output> = Omit<ToolOptions<Input, Output>, 'execute'>

/** A tool whose function is in the page: `workerAgent(worker, name, { tools })`. */
export interface PageTool<Input, Output> extends ToolOptions<Input, Output> {
  /** For inference only; never set. */
  readonly inPage?: (input: Input) => Output
}

/**
 * Declares a tool that a page runs, because only the page has what it needs: the document, the clipboard, a map.
 * Exactly one page runs a call: among those that show the run and have the function, the most recently used one.
 * Without such a page, the run asks for one, and continues when it comes. If the page closes during the call, `effect`
 * decides as after a crash.
 */
export function pageTool<Input, Output>(options: PageToolOptions<Input, Output>): PageTool<Input, Output> {
  demand(!('execute' in options), 'A pageTool() has its function in the page: give it to workerAgent() there.')
  const output = options.outputSchema && compileSchema(options.outputSchema, 'The output of a page tool')
  const execute = async (input: Input, context: ToolContext): Promise<Output> => {
    const given = await performInPage(input, context)
    const checked = output ? await output.check(given) : ({ ok: true, value: given } as const)
    if (checked.ok) return checked.value as Output
    throw new AgentError('tool_failed', `The page gave what does not fit the output schema: ${checked.message}`)
  }
  return Object.assign({ ...options, execute }, { ready: waitForPage })
}

/** Pages that can perform a tool of a run. One that shows another run has another document. */
const performs =
  (tool: string, runId: string) =>
  (page: Page): boolean =>
    page.tools.has(tool) && page.shows(runId)

/**
 * Waits for a page before the call starts. The run asks with a question that closes when a page comes. If pages may be
 * connected to other processes, a note notifies those first, which read the log, so that no user is asked if there is a
 * page.
 */
async function waitForPage(readying: Readying): Promise<void> {
  const { runId, tool, key } = readying
  const fits = performs(tool, runId)
  const id = `${key}/ask/page`
  if (readying.isAnswered(id)) throw skipped(tool)
  if (pageRoll.find(fits)) return readying.withdraw(id)
  const over = new AbortController()
  const coming = Promise.race([
    pageRoll.coming(fits, over.signal),
    lentPages.coming({ call: `${runId}/${key}`, tool }, over.signal),
  ]).then(() => true)
  try {
    if (!(await comesUnasked(readying, { coming, until: over.signal }))) await askForPage(readying, { id, coming })
  } finally {
    over.abort()
  }
  readying.withdraw(id)
}

/** Returns true if a remote page offers itself soon after the note. */
async function comesUnasked(
  { runId, tool, key, note, isAsked }: Readying,
  { coming, until }: { readonly coming: Promise<unknown>; readonly until: AbortSignal },
): Promise<boolean> {
  const withinMs = lentPages.withinMs(runId)
  if (withinMs === undefined || isAsked(`${key}/ask/page`)) return false
  await note(wantedPageOf(key), tool)
  const late = new Promise<false>((resolve) => {
    const cancel = localHost.timer(withinMs, () => resolve(false))
    until.addEventListener('abort', cancel, { once: true })
  })
  return (await Promise.race([coming, late])) !== false
}

async function askForPage(
  { tool, ask }: Readying,
  { id, coming }: { readonly id: string; readonly coming: Promise<unknown> },
): Promise<void> {
  const skip = ask(
    id,
    asking<'skip'>({
      kind: 'choice',
      prompt: `${tool} needs an open page that shows this run and can run the tool. Open one, or continue without it.`,
      options: [{ value: 'skip', label: 'Go on without it' }],
      pageFor: tool,
    }),
  )
  // It is asked by then: what is not yet open could not be withdrawn.
  await undefined
  const answer = await Promise.race([skip, coming])
  // It is withdrawn next.
  skip.catch(() => {})
  if (answer === 'skip') throw skipped(tool)
}

const skipped = (tool: string): AgentError =>
  new AgentError('tool_skipped', `No page was open that can run ${tool}, and the user decided to continue without it.`)

function performInPage(input: unknown, context: ToolContext): Promise<Json> {
  const { toolName: name, toolCallId, runId, idempotencyKey, abortSignal } = context
  const page = lentPages.take(idempotencyKey) ?? pageRoll.find(performs(name, runId))
  if (!page) return Promise.reject(gone(name))
  return new Promise((resolve, reject) => {
    const sent = page.send(
      { type: 'tool', name, input, toolCallId, runId, idempotencyKey },
      {
        hear(answer) {
          if (answer.type === 'output') resolve(answer.value)
          if (answer.type === 'failed') reject(fromWireError(answer.error))
        },
        onLost: () => reject(gone(name)),
      },
    )
    abortSignal.addEventListener('abort', () => sent.abort(abortSignal.reason), { once: true })
  })
}

const gone = (tool: string): AgentError =>
  new AgentError('tool_interrupted', `The page that performed ${tool} is gone.`)
