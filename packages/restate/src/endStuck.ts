import type { Admin } from './createAdmin.ts'
import { readStuck } from './readStuck.ts'
import type { ServiceNames } from './serviceNames.ts'

export interface EndStuckOptions {
  readonly admin: Admin
  readonly names: ServiceNames
}

/** So many failures in a row are no accident. */
const attempts = 3

/** Ends what holds a run and does not go on: paused, or tried in vain. Whoever deletes the run wants none of it. Gives how many that were. */
export async function endStuck(runId: string, { admin, names }: EndStuckOptions): Promise<number> {
  const stuck = await readStuck(admin, { services: Object.values(names), attempts, runId })
  const ended = stuck.filter(({ alarm }) => alarm !== undefined)
  for (const { invocation } of ended) await admin.kill(invocation)
  return ended.length
}
