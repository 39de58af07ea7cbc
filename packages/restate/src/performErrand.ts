import type { AgentError, Host } from '@interleave/core'
import { pageRoll, type ToolAnswer, type ToolErrand } from '@interleave/core/place'
import { beatMs } from './borrowPages.ts'
import { pause } from './pause.ts'

/** A page of this process that does something for a run. */
export interface DoneByPage {
  /** What came of it; undefined if the page is gone. */
  readonly answer: Promise<ToolAnswer | undefined>
  /** Nobody wants it any more: the page is told. */
  abort(reason: AgentError): void
}

/** Has the page that was used last do it, of those that can. */
export function performErrand({ call, ...errand }: ToolErrand): DoneByPage {
  const page = pageRoll.find(({ tools, shows }) => tools.has(errand.name) && shows(errand.runId))
  if (!page) return { answer: Promise.resolve(undefined), abort() {} }
  let abort: DoneByPage['abort'] = () => {}
  const answer = new Promise<ToolAnswer | undefined>((resolve) => {
    const sent = page.send(errand, {
      hear(said) {
        if (said.type === 'output' || said.type === 'failed') resolve({ ...said, call })
      },
      onLost: () => resolve(undefined),
    })
    abort = sent.abort
  })
  return { answer, abort }
}

/** Says again and again that it is still being done. */
export async function beatUntil(
  done: Promise<unknown>,
  { beat, host }: { readonly beat: () => Promise<unknown>; readonly host: Pick<Host, 'timer'> },
): Promise<void> {
  let isDone = false
  const end = (): void => {
    isDone = true
  }
  done.then(end, end)
  for (;;) {
    await pause(beatMs, host)
    if (isDone) return
    // Who does not hear it takes the page for gone.
    await beat().catch(() => {})
  }
}
