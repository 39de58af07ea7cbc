import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { agent, type Event, type Step } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { inOrder } from '../steps/index.ts'
import { END, type Graph, graph, parallel, router, value } from './index.ts'

type Exit = { readonly targets: readonly number[]; readonly conditional: boolean; readonly branches: number }

/**
 * Targets of each node, mostly further on, and the number of its branches. The number of a node that is not there is the
 * end.
 */
const exits: fc.Arbitrary<readonly Exit[]> = fc.integer({ min: 1, max: 8 }).chain((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, from) => {
      const on = fc.integer({ min: from + 1, max: size })
      const plain = fc.tuple(on)
      const chosen = fc.uniqueArray(fc.oneof(on, fc.nat({ max: size })), { minLength: 1, maxLength: 3 })
      const branches = fc.nat({ max: 3 })
      return fc.oneof(
        fc.record({ targets: plain, conditional: fc.constant(false), branches }),
        fc.record({ targets: chosen, conditional: fc.constant(true), branches }),
      )
    }),
  ),
)

/** A graph whose nodes count their visits, and whose routers take their targets in turn. Undefined where it cannot work. */
function toGraph(given: readonly Exit[]): Graph | undefined {
  const nameOf = (node: number): string => (node < given.length ? `n${node}` : END)
  const nodes: Record<string, Step> = {}
  const edges: Record<string, ReturnType<typeof router> | string> = {}
  for (const [node, { targets, conditional, branches }] of given.entries()) {
    const count = value(`count ${node}`, 0)
    const names = targets.map(nameOf)
    const work: Step = (run) => count.set(run, count.get(run) + 1)
    nodes[nameOf(node)] = branches === 0 ? work : parallel(branchesOf(branches, work))
    const choose = router(names, (run) => names[count.get(run) % names.length] ?? END)
    edges[nameOf(node)] = conditional ? choose : nameOf(targets[0] ?? given.length)
  }
  try {
    return graph({ name: 'random', nodes, start: 'n0', edges: edges as never, visits: 60 })
  } catch {
    return undefined
  }
}

/** So many branches: one does the work, the others are graphs that count for themselves. */
function branchesOf(size: number, work: Step): Record<string, Step> {
  const others = Array.from({ length: size - 1 }, (_, index): [string, Step] => {
    const count = value(`steps of ${index}`, 0)
    const step: Step = (run) => count.set(run, count.get(run) + 1)
    const edges = { a: 'b', b: END } as const
    return [`other${index}`, graph({ name: 'inner', nodes: { a: step, b: step }, start: 'a', edges })]
  })
  return { work, ...Object.fromEntries(others) }
}

/** Goes on with a log until it rests, be it at the limit. */
async function finish(flow: Graph, past: readonly Event[] = []): Promise<readonly Event[]> {
  const journal = memoryJournal()
  await journal.append('r', past)
  const backend = inOrder(flow, () => ({ type: 'answer', output: 'done', reason: 'completed' }))
  const described = agent({ name: 'a', model: scriptedModel(), backend })
  const run =
    past.length > 0
      ? await described.resume('r', { journal })
      : described.start('Go', { id: 'r', journal, observers: [laws()] })
  expect(['answer', 'limitReached']).toContain((await run.settled).type)
  return journal.read('r')
}

/** The visits of each walk, and how often each node was visited. */
function visitsOf(events: readonly Event[]): Record<string, unknown[]> {
  const visits: Record<string, unknown[]> = {}
  for (const event of events) {
    if (event.type !== 'noted') continue
    const { node, visit, value: count } = event.value as { node?: string; visit?: number; value?: number }
    if (node === undefined) visits[event.key] = [count]
    else visits[event.key] = [...(visits[event.key] ?? []), `${visit} ${node}`]
  }
  return visits
}

it('makes the same visits of any graph that is accepted, wherever it crashes', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(exits, fc.double({ min: 0, max: 1, noNaN: true }), async (given, where) => {
      const flow = toGraph(given)
      if (!flow) return
      accepted++
      const whole = await finish(flow)

      const cut = await finish(flow, whole.slice(0, 2 + Math.floor(where * (whole.length - 3))))

      expect(visitsOf(cut)).toEqual(visitsOf(whole))
    }),
    { numRuns: 1_000 },
  )
  expect(accepted).toBeGreaterThan(200)
})
