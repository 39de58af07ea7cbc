import { AgentError } from '@interleave/core'
import { z } from 'zod'
import type { Config } from './config.ts'
import { check, formatProblems, type Placed, type Problem, placed } from './problem.ts'
import { notPlain, readText } from './readText.ts'

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
  const { value, problems: faults, position } = typeof source === 'string' ? readText(source) : readData(source)
  const locate = ({ at, path, message }: Placed): Problem => ({ path, message, ...position(at) })
  if (faults.length > 0)
    return { problems: faults.map(({ message, position: at }) => ({ path: '', message, ...at })), locate }
  const { config, problems } = examine(value)
  return { ...(config && { config }), problems: problems.map(locate), locate }
}

const readData = (value: unknown): ReturnType<typeof readText> => ({ value, problems: [], position: () => undefined })

function examine(value: unknown): { config?: Config; problems: readonly Placed[] } {
  const mistaken = mistakenFor(value)
  if (mistaken) return { problems: [placed([], mistaken)] }
  const unfit = notPlain(value)
  if (unfit.length > 0) return { problems: unfit }
  // A copy, so that a form that continues to change its data changes no agent.
  const current: unknown = JSON.parse(JSON.stringify(value))
  const wrongVersion = versionProblem(current)
  if (wrongVersion) return { problems: [wrongVersion] }
  const { value: config, problems } = check(top, current, [])
  return { ...(config && { config: config as Config }), problems }
}

/** Returns what to do with what a file or a request gave instead of a config. */
function mistakenFor(value: unknown): string | undefined {
  if (value === undefined) return 'There is no config: this is undefined. Give its text, or its data.'
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return "These are bytes. Read the file as text: 'utf8'."
  return value instanceof Promise ? 'This is a promise of a config. Await it first.' : undefined
}

/**
 * Reads a config without making its agents, to show or to change it. Throws for an invalid text; `loadAgents` and
 * `checkConfig`, which have the registry, validate its names and options.
 */
export function parseConfig(text: string): Config {
  const { config, problems } = readConfig(text)
  if (!config) throw new AgentError('config_invalid', formatProblems(problems), { cause: problems })
  return config
}

/** The version of the format. */
const currentVersion = 1

/** Checks the version of a config. */
function versionProblem(value: unknown): Placed | undefined {
  if (typeof value !== 'object' || value === null) return placed([], 'A config begins with `interleave: 1`.')
  const { interleave: version } = value as { interleave?: unknown }
  if (version === undefined) return placed([], 'The version is missing. Begin with `interleave: 1`.')
  if (version === currentVersion) return undefined
  const isLater = Number.isInteger(version) && (version as number) > currentVersion
  const message = isLater
    ? `This config is of version ${version}, and this package knows versions up to ${currentVersion}. Update @interleave/core, or write the config for the version it knows.`
    : 'Write the version as `interleave: 1`.'
  return placed(['interleave'], message)
}
