import { useState } from 'react'
import { download } from '../parts/download.ts'
import { errorWords } from '../parts/errorWords.ts'
import type { Playground } from './Playground.ts'
import { usePlayground } from './usePlayground.ts'

export interface Exporting {
  /** Downloads a run as a file. */
  save(runId: string): Promise<void>
  /** The reason why the run could not be exported. */
  readonly trouble: string | undefined
}

export function useExport(): Exporting {
  const playground = usePlayground()
  const [trouble, setTrouble] = useState<string>()
  return {
    trouble,
    async save(runId) {
      setTrouble(undefined)
      try {
        await saveRun(playground, runId)
      } catch (error) {
        setTrouble(errorWords(error))
      }
    },
  }
}

/** Downloads a run as a file. If it has secrets, asks the user first, and omits them unless the user wants them. */
export async function saveRun(
  { store, openStorage }: Pick<Playground, 'store' | 'openStorage'>,
  runId: string,
): Promise<void> {
  const [{ toFile }, { findSecrets }] = await Promise.all([
    import('../storage/runFiles.ts'),
    import('../safety/findSecrets.ts'),
  ])
  const open = store.getState().conversations.find(({ run }) => run.id === runId)
  const whole = await toFile(await openStorage(), open?.run ?? runId)
  const found = findSecrets(whole)
  const text = found.length === 0 ? whole : await (await import('../safety/askAboutSecrets.tsx')).askAboutSecrets(whole)
  if (text !== undefined) download(`run-${runId}.json`, text, 'application/json')
}
