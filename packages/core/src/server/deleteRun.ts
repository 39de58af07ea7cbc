import { readPast } from '../readPast.ts'
import type { Visit } from './place.ts'

/** Ends a run and takes it, with those below it, out of the journal. */
export async function deleteRun({ runs, journal, runId }: Visit): Promise<Response> {
  await readPast(runId, { journal })
  const live = runs.find(runId)
  if (live) runs.drop(live)
  await journal.delete(runId)
  return new Response(null, { status: 204 })
}
