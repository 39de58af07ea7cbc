import { messageOf } from '@interleave/core/internal'
import { isNotFetched } from '../parts/errorWords.ts'
import { notFetched } from '../parts/later.tsx'
import type { Playground } from '../run/Playground.ts'

/** Reports that a part of the page for an action could not be fetched, if nothing else reports it. */
export function reportUnfetched({ notify }: Pick<Playground, 'notify'>): () => void {
  const report = ({ reason }: PromiseRejectionEvent): void => {
    if (isNotFetched(messageOf(reason))) notify({ id: 'not fetched', tone: 'bad', ...notFetched })
  }
  addEventListener('unhandledrejection', report)
  return () => removeEventListener('unhandledrejection', report)
}
