import type { Event } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'

/** A journal that is one list per run and copies nothing. */
export interface PlainJournal extends Pick<Required<Journal>, 'append' | 'read' | 'claim'> {
  readonly logs: ReadonlyMap<string, readonly Event[]>
}

export function plainJournal(): PlainJournal {
  const logs = new Map<string, readonly Event[]>()
  const owners = new Map<string, number>()
  const lengthOf = (id: string): number => logs.get(id)?.length ?? 0
  return {
    logs,
    append(id, events, { epoch } = {}) {
      if (events[0]?.seq !== lengthOf(id) || (epoch !== undefined && epoch !== owners.get(id))) throw taken(id)
      logs.set(id, [...(logs.get(id) ?? []), ...events])
    },
    read: (id, from = 0) => logs.get(id)?.slice(from) ?? [],
    claim(id, length) {
      if (length !== lengthOf(id)) throw taken(id)
      owners.set(id, (owners.get(id) ?? 0) + 1)
      return owners.get(id) ?? 0
    },
  }
}

const taken = (id: string): AgentError => new AgentError('journal_conflict', `Somebody else goes on with ${id}.`)
