import { AgentError } from '@interleave/core'
import { useQuery } from '@tanstack/react-query'
import { usePlayground } from '../run/usePlayground.ts'

const none: Readonly<Record<string, unknown>> = {}

/** Returns what is wrong with the newest runs, by their ids. It reads their logs, so it does so once a visit. */
export function useDamaged(isAsked: boolean): Readonly<Record<string, unknown>> {
  const { keep } = usePlayground()
  const { data } = useQuery({
    queryKey: ['damaged'],
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const [{ inspectRuns }, { journal }] = await Promise.all([import('@interleave/core/journal'), keep()])
      const runs = await inspectRuns(journal, { limit: 30 })
      return Object.fromEntries(
        runs.flatMap(({ runId, damage }) => (damage ? [[runId, new AgentError(damage.code, damage.message)]] : [])),
      )
    },
  })
  return data ?? none
}
