import type { CDPSession, Page } from 'playwright-core'

/** The work of a page's main thread from one frame to the next, in milliseconds of CPU time. */
export interface FrameWork {
  readonly longest: number
  readonly mean: number
  /** Tasks of more than 50 ms on a clock. */
  readonly longTasks: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
}

/** Traces a page while something goes on in it. */
export async function frameWork(page: Page, work: () => Promise<unknown>): Promise<FrameWork> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  })
  await work()
  const complete = untilComplete(session)
  await session.send('Tracing.end')
  await complete
  return measured(events)
}

const untilComplete = (session: CDPSession): Promise<unknown> =>
  new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))

function measured(events: readonly TraceEvent[]): FrameWork {
  const drawn = events.filter(({ name }) => name === 'PrePaint')
  const page = drawn[0]
  const tasks = events.filter(
    ({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && pid === page?.pid && tid === page.tid,
  )
  if (drawn.length < 10 || tasks.length === 0) throw new Error('This browser traces no frames.')
  const perFrame = drawn.slice(1).map(({ ts: end }, index) => {
    const start = drawn[index]?.ts ?? end
    const during = tasks.filter(({ ts }) => ts >= start && ts < end)
    return during.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1_000
  })
  return {
    longest: Math.max(...perFrame),
    mean: perFrame.reduce((sum, ms) => sum + ms, 0) / perFrame.length,
    longTasks: tasks.filter(({ dur = 0 }) => dur > 50_000).length,
  }
}
