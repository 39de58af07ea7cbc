import type { Admin } from './createAdmin.ts'
import { readStuck } from './readStuck.ts'
import type { ServiceNames } from './serviceNames.ts'

export interface EndStuckOptions {
  readonly admin: Admin
  readonly names: ServiceNames
}

/** So many failures in a row are no accident. */
const attempts = 3

/** Ends the invocations of a stuck run: paused, or retried in vain. Returns their number. */
export async function endStuck(runId: string, { admin, names }: EndStuckOptions): Promise<number> {
  const stuck = await readStuck(admin, { services: Object.values(names), attempts, runId })
  const ended = stuck.filter(({ alarm }) => alarm !== undefined)
  for (const { invocation } of ended) await admin.kill(invocation)
  return ended.length
}
