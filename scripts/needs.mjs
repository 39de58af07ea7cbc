/** The needs of a project of vitest.config.ts beyond node_modules. The others read the packages' sources. */
const needs = {
  unit: [],
  types: [],
  react: [],
  edge: [],
  restate: [],
  conformance: [],
  react18: [],
  browser: ['chromium'],
  survival: ['chromium'],
  workerd: ['build'],
  e2e: ['build', 'chromium'],
}

/**
 * Returns what a run of vitest with these arguments needs: 'build', 'chromium', both or neither.
 * Arguments that name no project, or one by a pattern, may run all of them.
 *
 * @param {string[]} args
 * @returns {Set<string>}
 */
export function needsOf(args) {
  const named = args.flatMap((arg, i) => {
    if (arg === '--project') return [args[i + 1] ?? '']
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : []
  })
  const known = named.length > 0 && named.every((name) => Object.hasOwn(needs, name))
  return new Set((known ? named : Object.keys(needs)).flatMap((name) => needs[name]))
}
