/** A page cannot end a shared worker, so it asks the worker to end itself. */
const channelOf = (runId: string): BroadcastChannel => new BroadcastChannel(`playground kill ${runId}`)

export function killSharedWorker(runId: string): void {
  const channel = channelOf(runId)
  channel.postMessage('kill')
  channel.close()
}

/** In a shared worker: ends it when a page says so. */
export function endWhenKilled(runId: string, scope: { close(): void }): void {
  channelOf(runId).addEventListener('message', () => scope.close())
}
