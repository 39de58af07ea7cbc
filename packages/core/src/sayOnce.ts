import type { RunContext } from './run.ts'

/** A message to the model for its next turn, unless it waits there already: after a reload a step says the same again. */
export function sayOnce(run: RunContext, content: string): void {
  if (run.state.pending.some((said) => said.by === 'agent' && said.content === content)) return
  run.emit({ type: 'said', by: 'agent', content })
}
