/** Ends this page as a crash would: nothing of it hears that it goes. */
export function reloadWithoutGoodbye(): void {
  const stop = (event: Event): void => event.stopImmediatePropagation()
  for (const type of ['beforeunload', 'pagehide', 'visibilitychange', 'unload'])
    addEventListener(type, stop, { capture: true })
  location.reload()
}
