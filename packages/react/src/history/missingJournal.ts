import { AgentError } from '@interleave/core'

/** Where there should be a journal. */
export function missingJournal(): never {
  throw new AgentError(
    'options_invalid',
    'There is no journal to read the history of: <ReActProvider journal={journal}> or useHistory(agent, { journal }).',
  )
}
