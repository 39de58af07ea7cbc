import { AgentError } from './error.ts'
import { elapsedOf, type Host } from './host.ts'

/** Milliseconds for which a page that is being left waits for the next one. */
const longest = 10_000

/**
 * Runs a tool's function. Browsers break the connections of a page that is being left, and the page works on until the next
 * one is there: what the function throws meanwhile is no report of the tool. Rejects with an interruption then, once the
 * page was not left after all.
 */
export function unlessLeaving<T>(
  host: Pick<Host, 'now' | 'elapsed' | 'timer' | 'onUnload'>,
  work: () => Promise<T>,
): Promise<T> {
  let since: number | undefined
  const end = host.onUnload?.(() => {
    since = elapsedOf(host)
  })
  if (!end) return work()
  const refuse = async (cause: unknown): Promise<never> => {
    if (since === undefined || elapsedOf(host) - since > longest) throw cause
    await new Promise<void>((resolve) => void host.timer(longest, resolve))
    throw new AgentError('tool_interrupted', 'The page was being left.', { cause })
  }
  return work().catch(refuse).finally(end)
}
