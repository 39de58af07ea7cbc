import type { Event } from '@interleave/core'
import { runFile } from '@interleave/core/internal'
import { exportRun } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import { json } from './json.ts'
import type { Visit } from './place.ts'
import { shownEvents } from './shownEvents.ts'

/** The file of a run, without the thoughts of an agent that does not expose them. Its seal lets it in again. */
export async function downloadRun({ journal, names, seals, principal, runId }: Visit): Promise<Response> {
  const { events, below = [] } = await exportRun(journal, runId)
  const show = (log: readonly Event[]): readonly Event[] => names.show(shownEvents(fold(log.slice(0, 1))).kept(log))
  const hides = [events, ...below].some(([started]) => started?.type === 'started' && started.exposeReasoning === false)
  const file = runFile(show(events), { below: below.map(show), ...(hides && { thoughts: false }) })
  return json(await seals.seal(file, principal))
}
