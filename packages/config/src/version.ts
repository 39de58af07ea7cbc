import { formatPath } from './problem.ts'
import type { Placed } from './toProblems.ts'

/** The version of the format that this package writes. */
const currentVersion = 1

/** Converts configs from each version to the next. There is one version so far. */
const migrations: Readonly<Record<number, (config: object) => object>> = {}

/** A config of an older version as one of today. */
export function toCurrent(value: unknown): { value: unknown; problems: readonly Placed[] } {
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
  return { value: undefined, problems: [{ at, path: formatPath(at), message }] }
}
