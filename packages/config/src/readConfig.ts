import { z } from 'zod'
import type { Config } from './config.ts'
import { notPlain } from './plainData.ts'
import type { Path, Problem } from './problem.ts'
import { type Place, readText } from './readText.ts'
import { check, type Placed } from './toProblems.ts'
import { toCurrent } from './version.ts'

/** A config as far as it can be read without a registry: its agents are looked into later. */
export interface ReadConfig {
  readonly config?: Config
  readonly problems: readonly Problem[]
  /** Adds where in the text a problem is. */
  locate(problem: Placed): Problem
}

const top = z.strictObject({
  $schema: z.string().optional(),
  interleave: z.literal(1),
  agents: z.record(z.string().min(1), z.unknown()),
})

/** Reads a text or plain data, up to the agents. */
export function readConfig(source: unknown): ReadConfig {
  if (typeof source !== 'string') return examine(source, () => undefined)
  const { value, complaints, place } = readText(source)
  if (complaints.length === 0) return examine(value, place)
  const problems = complaints.map(({ message, place: at }) => ({ path: '', message, ...at }))
  return { problems, locate: withoutPlace }
}

function examine(value: unknown, place: (path: Path) => Place | undefined): ReadConfig {
  const locate = (problem: Placed): Problem => ({ ...withoutPlace(problem), ...place(problem.at) })
  const unfit = notPlain(value)
  if (unfit.length > 0) return { problems: unfit.map(locate), locate }
  // A copy, so that a form that goes on changing its data changes no agent.
  const current = toCurrent(JSON.parse(JSON.stringify(value)))
  if (current.problems.length > 0) return { problems: current.problems.map(locate), locate }
  const { value: config, problems } = check(top, current.value, [])
  if (!config) return { problems: problems.map(locate), locate }
  return { config: config as Config, problems: [], locate }
}

const withoutPlace = ({ path, message }: Placed): Problem => ({ path, message })
