import { AgentError } from '@interleave/core'
import { z } from 'zod'
import type { Config } from './config.ts'
import { check, formatProblems, type Path, type Placed, type Problem, placed } from './problem.ts'
import { notPlain, type Place, readText } from './readText.ts'

/** A config as far as it can be read without a registry: its agents are validated later. */
interface ReadConfig {
  readonly config?: Config
  readonly problems: readonly Problem[]
  /** Adds the position in the text to a problem. */
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
  const { value, problems: found, place } = readText(source)
  if (found.length === 0) return examine(value, place)
  const problems = found.map(({ message, place: at }) => ({ path: '', message, ...at }))
  return { problems, locate: withoutPlace }
}

function examine(value: unknown, place: (path: Path) => Place | undefined): ReadConfig {
  const locate = (problem: Placed): Problem => ({ ...withoutPlace(problem), ...place(problem.at) })
  const unfit = notPlain(value)
  if (unfit.length > 0) return { problems: unfit.map(locate), locate }
  // A copy, so that a form that continues to change its data changes no agent.
  const current = toCurrent(JSON.parse(JSON.stringify(value)))
  if (current.problems.length > 0) return { problems: current.problems.map(locate), locate }
  const { value: config, problems } = check(top, current.value, [])
  if (!config) return { problems: problems.map(locate), locate }
  return { config: config as Config, problems: [], locate }
}

const withoutPlace = ({ path, message }: Placed): Problem => ({ path, message })

/**
 * Reads a config without making its agents, to show or to change it. Throws for an invalid text; `loadAgents` and
 * `checkConfig`, which have the registry, validate its names and options.
 */
export function parseConfig(text: string): Config {
  const { config, problems } = readConfig(text)
  if (!config) throw new AgentError('config_invalid', formatProblems(problems), { cause: problems })
  return config
}

/** The version of the format that this package writes. */
const currentVersion = 1

/** Converts configs from each version to the next. There is one version so far. */
const migrations: Readonly<Record<number, (config: object) => object>> = {}

/** Converts a config of an older version to the current one. */
function toCurrent(value: unknown): { value: unknown; problems: readonly Placed[] } {
  if (typeof value !== 'object' || value === null) return refused('A config begins with `interleave: 1`.', [])
  const { interleave: version } = value as { interleave?: unknown }
  if (version === undefined) return refused('The version is missing. Begin with `interleave: 1`.', [])
  if (!Number.isInteger(version) || (version as number) < 1) return refused('Write the version as `interleave: 1`.')
  if ((version as number) > currentVersion) {
    return refused(
      `This config is of version ${version}, and this package knows versions up to ${currentVersion}. ` +
        'Update @interleave/core, or write the config for the version it knows.',
    )
  }
  let current: object = value
  for (let from = version as number; from < currentVersion; from++) current = migrations[from]?.(current) ?? current
  return { value: current, problems: [] }
}

function refused(message: string, at: readonly string[] = ['interleave']): ReturnType<typeof toCurrent> {
  return { value: undefined, problems: [placed(at, message)] }
}
