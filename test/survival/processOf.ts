import type { CDPSession, Page } from 'playwright-core'

interface TraceEvent {
  readonly name: string
  readonly args: {
    readonly data?: { readonly frames?: readonly { readonly frame: string; readonly processId?: number }[] }
  }
}

/** Returns the id of the process that renders a page. A trace begins with the frames of the page and their processes. */
export async function processOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const events = await beginningOfTrace(session)
    const frames = events.flatMap(({ name, args }) =>
      name === 'TracingStartedInBrowser' ? (args.data?.frames ?? []) : [],
    )
    const process = frames.find(({ frame }) => frame === frameTree.frame.id)?.processId
    if (process === undefined) throw new Error(`The trace names no process of ${page.url()}: ${JSON.stringify(frames)}`)
    return process
  } finally {
    await session.detach()
  }
}

async function beginningOfTrace(session: CDPSession): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline'], excludedCategories: ['*'] },
  })
  await session.send('Tracing.end')
  await complete
  return events
}
