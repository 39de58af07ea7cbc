import { judge, wrongDeeds } from '@interleave/test-kit/crash/judge'
import { mutants } from '@interleave/test-kit/crash/mutants'
import { type Played, type PlayOptions, play } from '@interleave/test-kit/crash/play'
import type { Script } from '@interleave/test-kit/crash/script'
import { scripts } from '@interleave/test-kit/crash/scripts'
import type { Fault } from '@interleave/test-kit/crash/world'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const wholes = new Map<Script, Promise<Played>>()
/** The run without a fault. */
function wholeOf(script: Script): Promise<Played> {
  const whole = wholes.get(script) ?? play(script)
  wholes.set(script, whole)
  return whole
}

/** Returns the problems of the run after these faults. Never reaching the end is a problem too. */
async function problems(script: Script, options: PlayOptions): Promise<readonly string[]> {
  try {
    return judge(script, await wholeOf(script), await play(script, options))
  } catch (error) {
    return [String(error)]
  }
}

const kindsOf = ({ endsUnkept }: Script): readonly Fault['kind'][] => (endsUnkept ? ['crash'] : ['crash', 'refuse'])

/**
 * Returns one fault before and one after each write, read, claim and effect: the life ends there, or the journal
 * rejects.
 */
async function allPoints(script: Script): Promise<readonly (Fault & { readonly port: string })[]> {
  const { ports } = (await wholeOf(script)).world
  return kindsOf(script).flatMap((kind) => ports.map((port, after) => ({ kind, after, port })))
}

it.each(scripts.map((script) => [script.name, script] as const))(
  'comes to the same wherever it crashes: %s',
  async (_, script) => {
    expect(await problems(script, { lawful: true })).toEqual([])
    for (const { port, ...fault } of await allPoints(script)) {
      const wrong = await problems(script, { faults: [fault], lawful: fault.after % 4 === 0 })
      expect(wrong, `${fault.kind} ${fault.after}, ${port}`).toEqual([])
    }
  },
)

it('leaves no effect without its call where a model that is asked again says something else', async () => {
  let varied = 0
  for (const script of scripts) {
    for (const { port, ...fault } of await allPoints(script)) {
      if (fault.kind === 'refuse') continue
      const played = await play(script, { faults: [fault], resamples: true })
      expect([...wrongDeeds(played)], `${script.name}: ${fault.after}, ${port}`).toEqual([])
      if (played.world.deeds.some(({ input }) => (input as { n?: number } | undefined)?.n === 200)) varied++
    }
  }
  expect(varied).toBeGreaterThan(100)
})

const fault: fc.Arbitrary<Fault> = fc.record({
  after: fc.nat(30),
  kind: fc.constantFrom('crash', 'crash', 'crash', 'refuse'),
})

/** Short ones more often: ten thousand are to take half a minute. */
async function anyScript(): Promise<fc.Arbitrary<Script>> {
  const wholes = await Promise.all(scripts.map(wholeOf))
  const weightOf = ({ world }: Played): number => Math.ceil(50_000 / world.ports.length ** 2)
  return fc.oneof(
    ...wholes.map((whole, at) => ({
      weight: weightOf(whole),
      arbitrary: fc.constantFrom(...scripts.slice(at, at + 1)),
    })),
  )
}

function named(name: string): Script {
  const script = scripts.find((each) => each.name === name)
  if (!script) throw new Error(`There is no script "${name}".`)
  return script
}

/** The options of a child run's call that is interrupted, run again as the user says, and interrupted once more. */
const interruptedTwiceInChild: PlayOptions = {
  faults: [
    { after: 21, kind: 'crash' },
    { after: 12, kind: 'refuse' },
    { after: 29, kind: 'crash' },
    { after: 27, kind: 'crash' },
  ],
  delays: [3],
}

/** A run of a run below is at work while the run above it fails, is resumed, and takes over from what it was. */
const takenOverAtWork: PlayOptions = {
  faults: [
    { after: 20, kind: 'refuse' },
    { after: 2, kind: 'refuse' },
  ],
  delays: [0],
}

it('comes to the same whatever happens how often', async () => {
  const schedule = fc.record({
    faults: fc.array(fault, { minLength: 1, maxLength: 4 }),
    delays: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
  })
  let [crashes, refusals] = [0, 0]
  const holds = async (script: Script, options: PlayOptions): Promise<void> => {
    const faults = options.faults?.filter(({ kind }) => kindsOf(script).includes(kind)) ?? []
    expect(await problems(script, { ...options, faults })).toEqual([])
    for (const { kind } of faults) kind === 'crash' ? crashes++ : refusals++
  }
  await holds(named('a graph'), interruptedTwiceInChild)
  await holds(named('agents below'), takenOverAtWork)
  await fc.assert(fc.asyncProperty(await anyScript(), schedule, holds), { numRuns: 4_000 })
  expect(crashes).toBeGreaterThan(6_000)
  expect(refusals).toBeGreaterThan(1_200)
})

it.each(mutants)('notices $rule', async ({ mutate, script: name }) => {
  const script = named(name)
  let noticed = 0
  for (const { port: _, ...fault } of await allPoints(script)) {
    if ((await problems(script, { faults: [fault], mutate })).length > 0) noticed++
  }
  expect(noticed).toBeGreaterThan(0)
})
