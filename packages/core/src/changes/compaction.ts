import { type Changes, lengthOf } from '../state.ts'

/** The change of a compaction: the prompt begins with its messages from now on. */
export const compactionChanges: Changes = {
  compacted(state, { iteration, messages, keep }) {
    state.compacted = { messages, from: Math.max(0, lengthOf(state.history) - keep), iteration }
    state.compactions++
  },
}
