import type { Agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { servedAgents } from '../../playground/src/server/servedAgents.ts'
import type { Env } from './Env.ts'
import { modelOf } from './modelOf.ts'

let made: readonly Agent[] | undefined

/** The agents of the page, made once for all objects of a process: it takes longer than to wake one. Each run names its own journal. */
export const agentsOf = (env: Env): readonly Agent[] =>
  (made ??= servedAgents({ model: modelOf(env), journal: memoryJournal() }))
