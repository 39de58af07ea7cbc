import type { Journal, PermissionStore } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { agents as offers } from '../agents/index.ts'
import { readAgent } from '../editor/agentForm.ts'
import { type Edits, fileOf } from '../run/edits.ts'
import { usePlayground } from '../run/usePlayground.ts'

export interface Permissions {
  readonly store: PermissionStore
  /** The agents with permissions for good. */
  readonly agents: readonly { readonly name: string; readonly title: string }[]
  /** The latest runs with permissions of their own. */
  readonly runs: readonly { readonly runId: string; readonly title: string; readonly count: number }[]
}

const queryKey = ['permissions'] as const
/** The number of latest runs to search for agents and for permissions, which are in their logs. */
const mostRuns = 300
const mostRead = 50

/** Returns the user's permissions, and updates with them, also from other tabs. */
export function usePermissions(): UseQueryResult<Permissions> {
  const { openStorage, store } = usePlayground()
  const client = useQueryClient()
  const query = useQuery({
    queryKey,
    staleTime: 0,
    gcTime: 0,
    queryFn: async () => {
      const { journal, permissions } = await openStorage()
      const changed = (): void => void client.invalidateQueries({ queryKey })
      return read({ journal, permissions: notifying(permissions, changed), edits: store.getState().edits })
    },
  })
  const watched = query.data?.store
  useEffect(() => watched?.watch?.(() => void client.invalidateQueries({ queryKey })), [client, watched])
  return query
}

/** Stores in memory report no changes. */
const notifying = (store: PermissionStore, changed: () => void): PermissionStore => ({
  ...store,
  async remove(agent, id) {
    await store.remove(agent, id)
    changed()
  },
})

interface Reading {
  readonly journal: Journal
  readonly permissions: PermissionStore
  readonly edits: Edits
}

async function read({ journal, permissions, edits }: Reading): Promise<Permissions> {
  const runs = (await journal.list({ limit: mostRuns })).filter(({ parent }) => !parent)
  const titles = new Map([...runs.map(({ agent }) => [agent, agent] as const), ...offered(edits)])
  const agents = await Promise.all(
    [...titles].map(async ([name, title]) => ({ name, title, stored: await permissions.list(name) })),
  )
  const own = await Promise.all(
    runs.slice(0, mostRead).map(async ({ runId, title }) => ({ runId, title, count: await countOf(journal, runId) })),
  )
  return {
    store: permissions,
    agents: agents.filter(({ stored }) => stored.length > 0).map(({ name, title }) => ({ name, title })),
    runs: own.filter(({ count }) => count > 0),
  }
}

/** The agents of this page by name, original and edited. */
const offered = (edits: Edits): readonly (readonly [string, string])[] =>
  offers.flatMap((offer) =>
    [offer.file, fileOf(offer, edits)].flatMap((file) => {
      const name = readAgent(file)?.name
      return name === undefined ? [] : [[name, offer.title] as const]
    }),
  )

/** Counts the permissions of a run; 0 if it cannot be read, which is reported when the run is opened. */
async function countOf(journal: Journal, runId: string): Promise<number> {
  try {
    return fold(await journal.read(runId)).permissions?.length ?? 0
  } catch {
    return 0
  }
}
