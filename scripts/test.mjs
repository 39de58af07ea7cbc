// `npm test`, its slower tiers and `npm run check`. Each check runs even if one before it failed; the last line is the total.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { enginesOf } from './find-engines.mjs'
import { programsOf } from './find-programs.mjs'
import { needsOf } from './needs.mjs'
import { slowFiles } from './tiers.mjs'
import { ensurePrograms, Failure, root, run, setup } from './toolchain.mjs'
import { argsToRunAgain, countTests, failuresOf, passesOf, totalsAfter, totalsLines } from './totals.mjs'

const turbo = (...tasks) => ['turbo', 'run', ...tasks, '--output-logs=errors-only', '--continue']

/** Runs all checks, and all tests but the slow files. With arguments: vitest alone, with these. */
export function test(args) {
  return tell(args.length > 0 ? testsAlone(args) : everything({ tests: true }))
}

/** Runs the files of a slow tier. With arguments: those of them that these select. */
export function testSlow(tier) {
  return (args) => tell(testsAlone(args, tier))
}

/** Runs what these arguments of vitest select, with the slow files among them. */
export function testAll(args) {
  return tell(testsAlone(args, 'all'))
}

/** Everything but the tests. */
export function check() {
  return tell(everything({ tests: false }))
}

async function testsAlone(args, tier) {
  const env = { ...(await setup()), ...(tier && { TIER: tier }) }
  const needs = needsOf(args, tier)
  const engines = ['chromium', ...enginesOf(env)].filter((name) => needs.has(name))
  await ensurePrograms(env, new Set([...engines, ...(needs.has('programs') ? programsOf(env) : [])]))
  if (needs.has('build') && (await run(env, ...split(turbo('build', 'build:profile')))) !== 0)
    throw new Failure('The build failed.')
  return vitest(env, args)
}

async function everything({ tests }) {
  const env = await setup()
  const steps = stepsOf(env)
  await steps.run('biome', 'ci', '--error-on-warnings', '.')
  const built = await steps.run(...turbo('build', 'build:profile'))
  // Each of the two takes one core for most of its time.
  await Promise.all([checkTypes(steps), checkPackages(steps.quietly())])
  if (tests) await allTests(env, steps, built)
  for (const note of steps.notes) process.stdout.write(`${note}\n`)
  return steps.totals
}

async function checkTypes(steps) {
  await steps.run(...turbo('typecheck'))
  await steps.run('tsc', '--noEmit', '-p', 'tsconfig.test.json')
}

async function checkPackages(steps) {
  for (const name of readdirSync(path.join(root, 'packages'))) {
    const folder = path.join('packages', name)
    await steps.run('publint', '--strict', folder)
    await steps.add(`attw ${folder}`, (run) => attw(run, folder))
  }
  await steps.run('size-limit')
  await steps.run('knip', '--no-config-hints')
}

/** All projects, but those that cannot start without a browser or a build: their lack is a failure of its own already. */
async function allTests(env, steps, built) {
  const browser = await steps.add('find a browser', () => ensurePrograms(env, new Set(['chromium'])).then(() => 0))
  const programs = programsOf(env)
  if (programs.length > 0)
    await steps.add('find web servers', () => ensurePrograms(env, new Set(programs)).then(() => 0))
  const without = [
    ...(built ? [] : ['e2e', 'workerd', 'engines']),
    ...(browser ? [] : ['e2e', 'browser', 'survival', 'engines']),
  ]
  heading('vitest run')
  const { passed, failed, skipped, failures, passedAgain } = await vitest(
    env,
    without.map((name) => `--project=!${name}`),
  )
  steps.totals.passed += passed
  steps.totals.failed += failed
  steps.totals.skipped += skipped
  steps.totals.failures.push(...failures)
  steps.totals.passedAgain.push(...passedAgain)
  steps.notes.push(`${slowFiles(root).length} slower test files were left out: npm run test:soak, npm run test:nightly`)
}

/** Runs tests and, where `CI` is set, what failed once more, alone: with others beside it, a browser may wait for too long. */
async function vitest(env, args) {
  const { results, totals } = await vitestOnce(env, args)
  const again = env.CI && env.CI !== 'false' ? argsToRunAgain(results, root) : undefined
  if (!again) return { ...totals, passedAgain: [] }
  heading('vitest run, for what failed')
  const projects = args.filter((arg) => arg.startsWith('--project='))
  // The file of a slow test is one that is named.
  const second = await vitestOnce({ ...env, ...(env.TIER && { TIER: 'all' }) }, [...again, ...projects])
  return totalsAfter(totals, { failures: second.totals.failures, passes: passesOf(second.results, root) })
}

async function vitestOnce(env, args) {
  const file = path.join(root, '.cache', 'test-results.json')
  rmSync(file, { force: true })
  const shown = args.some((arg) => arg.startsWith('--reporter')) ? [] : ['--reporter=default']
  const status = await run(env, 'vitest', ['run', ...shown, '--reporter=json', `--outputFile.json=${file}`, ...args])
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return { results, totals: { ...countTests(results, status), failures: failuresOf(results, root) } }
}

/** Looks at what npm would hand out, not at the folder: only pnpm pack applies publishConfig. */
async function attw(run, folder) {
  const packed = path.join(root, '.cache', 'packed', path.basename(folder))
  rmSync(packed, { recursive: true, force: true })
  mkdirSync(packed, { recursive: true })
  const status = await run('pnpm', '--dir', folder, 'pack', '--pack-destination', packed)
  if (status !== 0) return status
  const [tarball] = readdirSync(packed)
  return run('attw', '--no-summary', '--profile', 'esm-only', path.join(packed, tarball))
}

/** Counts checks: each is one passed or one failed. A quiet one is shown when it has ended, since others run beside it. */
function stepsOf(env) {
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [], passedAgain: [] }
  const adder = (isQuiet) => async (name, action) => {
    const shown = []
    const options = isQuiet ? { onOutput: (written) => shown.push(written) } : {}
    if (!isQuiet) heading(name)
    const status = await action((...line) => run(env, ...split(line), options)).catch((error) => {
      report(error)
      return 1
    })
    if (isQuiet) heading(name)
    for (const written of shown) process.stdout.write(written)
    if (status === 0) totals.passed += 1
    else {
      totals.failed += 1
      totals.failures.push(name)
    }
    return status === 0
  }
  const stepsBy = (add) => ({ add, run: (...line) => add(line.join(' '), (start) => start(...line)) })
  return { totals, notes: [], ...stepsBy(adder(false)), quietly: () => stepsBy(adder(true)) }
}

const split = ([command, ...args]) => [command, args]

function heading(name) {
  process.stdout.write(`\n> ${name}\n`)
}

/** A failure is told by its message; anything else is a fault of these scripts and shows where it comes from. */
function report(error) {
  process.stderr.write(`${error instanceof Failure ? error.message : error.stack}\n`)
}

/** Writes what failed and, as the last line, the totals, which are true also where the work broke off before anything was counted. */
async function tell(work) {
  const totals = await work.catch((error) => {
    report(error)
    return { passed: 0, failed: 1, skipped: 0, failures: [] }
  })
  process.stdout.write(totalsLines(totals))
  return totals.failed > 0 ? 1 : 0
}
