import type { Json, ToolContext, ToolOptions } from '@interleave/core'
import { AgentError, localHost } from '@interleave/core'
import type { Readying } from '@interleave/core/internal'
import { asking, compileSchema, demand } from '@interleave/core/internal'
import { lentPages, wantedPageOf } from './lentPages.ts'
import type { Page } from './page.ts'
import { pageRoll } from './pageRoll.ts'
import { fromWireError } from './wireError.ts'

/** What a tool that pages perform is told of it in the worker. It may have all that a tool has, but no `execute`. */
export type PageToolOptions<Input, Output> = Omit<ToolOptions<Input, Output>, 'execute'>

/** A tool whose function is in the page: `workerAgent(worker, name, { tools })`. */
export interface PageTool<Input, Output> extends ToolOptions<Input, Output> {
  /** For inference only; never set. */
  readonly inPage?: (input: Input) => Output
}

/**
 * A tool that a page performs, since only there is what it needs: the document, the clipboard, a map that the user looks at.
 * Exactly one page performs a call: of those that show the run and have the function, the one that was used last. Where there is
 * none, the run asks for one, and goes on when it comes. If the page goes away in the middle, `effect` decides as it does
 * after a crash.
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
 * Before the call is begun: a run that waits for a page says so, with a question that goes away when one comes. Where pages may be
 * connected to other processes it first tells those, who read its log, by a note: no person is asked where a page is there.
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

/** Whether a page elsewhere says that it is there, soon after it is told. */
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
      prompt: `${tool} needs a page that shows this run and can perform it, and none is open. Open one, or go on without.`,
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
  new AgentError('tool_skipped', `No page was open that performs ${tool}, and the user decided to go on without it.`)

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
