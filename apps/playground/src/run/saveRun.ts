import { download } from '../parts/download.ts'
import type { Playground } from './Playground.ts'

/** Gives a run to the user as a file. */
export async function saveRun({ store, keep }: Pick<Playground, 'store' | 'keep'>, runId: string): Promise<void> {
  const { toFile } = await import('../kept/runFiles.ts')
  const open = store.getState().conversations.find(({ run }) => run.id === runId)
  download(`run-${runId}.json`, await toFile(await keep(), open?.run ?? runId), 'application/json')
}
