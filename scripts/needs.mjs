import { hasAllEngines } from './tiers.mjs'

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
  survival: ['chromium', 'programs'],
  workerd: ['build'],
  e2e: ['build', 'chromium'],
}

/** The same of the projects that exist in a run of the soak tests, or if they are named. */
const needsOfSlow = {
  firefox: ['firefox'],
  webkit: ['webkit'],
  engines: ['build', 'chromium', 'firefox', 'webkit'],
}
const all = { ...needs, ...needsOfSlow }

/**
 * Returns what a run of vitest with these arguments needs: 'build', 'programs' and the names of engines.
 * Arguments that name no project, or one by a pattern, may run all of them.
 *
 * @param {string[]} args
 * @param {string} [tier] TIER of the run, if it is set.
 * @returns {Set<string>}
 */
export function needsOf(args, tier) {
  const named = args.flatMap((arg, i) => {
    if (arg === '--project') return [args[i + 1] ?? '']
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : []
  })
  const known = named.length > 0 && named.every((name) => Object.hasOwn(all, name))
  const projects = known ? named : Object.keys(hasAllEngines(tier) ? all : needs)
  return new Set(projects.flatMap((name) => all[name]))
}
