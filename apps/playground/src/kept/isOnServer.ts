import type { Kept } from './Kept.ts'

/** Whether a run is kept on the server, and not here. Of one that was never opened here, it is what is left. */
export async function isOnServer({ records, journal, server }: Kept, runId: string): Promise<boolean> {
  if (!server || server.code.read() === undefined) return false
  const record = await records.get(runId)
  return record ? record.place === 'server' : (await journal.read(runId)).length === 0
}
