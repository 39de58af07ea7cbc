import type { Visit } from './place.ts'
import { unknownRun } from './problem.ts'

/** Ends a run and takes it, with those below it, out of the journal, also if its log is damaged. */
export async function deleteRun({ runs, journal, runId }: Visit): Promise<Response> {
  if ((await journal.read(runId)).length === 0 && !runs.isOpening(runId)) throw unknownRun()
  await runs.remove(runId, () => journal.delete(runId))
  return new Response(null, { status: 204 })
}
