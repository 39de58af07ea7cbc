import { isDeepStrictEqual } from 'node:util'
import { fold } from '@interleave/core/observe'
import { shopFaults } from '@interleave/test-kit/chaos/shopFaults'
import type { Ledger } from './createLedger.ts'

/**
 * Returns the faults of a run that has ended, by its log, by the world's record, and by the state that a page shows.
 */
export function faultsOf({ message, shop, end }: Pick<Ledger, 'message' | 'shop' | 'end'>): readonly string[] {
  const { log = [], state } = end ?? {}
  const isShown = isDeepStrictEqual(plain(fold(log)), plain(state))
  return [
    ...shopFaults([{ id: 'run', message, log }], shop),
    ...(isShown ? [] : ['state: it is not what the log gives']),
  ]
}

/** Returns a state without the streaming turn, which is not part of a log. */
const plain = (state: object | undefined): unknown => JSON.parse(JSON.stringify({ ...state, draft: undefined }))
