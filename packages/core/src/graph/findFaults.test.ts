import fc from 'fast-check'
import { expect, it } from 'vitest'
import { initialState } from '../state.ts'
import { type Edge, END, type Fault, findFaults, type GraphShape, position, toMermaid, visitCounts } from './index.ts'

/** `a>b` is a plain edge, `a?b` a conditional one. The nodes are those that stand first, and `.` is the end. */
function shapeOf(text: string, { start = 'a', nodes }: { start?: string; nodes?: readonly string[] } = {}): GraphShape {
  const edges = text.split(' ').map((edge): Edge => {
    const [from = '', kind, to = ''] = edge.split(/([>?])/)
    return { from, to: to === '.' ? END : to, conditional: kind === '?' }
  })
  return { nodes: nodes ?? [...new Set(edges.map(({ from }) => from))], edges, start }
}
const messages = (faults: readonly Fault[]): string[] => faults.map(({ message }) => message)

it.each(['a>.', 'a>b b>c c>.', 'a>b b?a b?.', 'a?a a?b b>.', 'a>b b?c b?d c>b d>.'])(
  'finds nothing wrong with %s',
  (text) => {
    expect(findFaults(shapeOf(text))).toEqual([])
  },
)

it.each([
  ['a>b b>a', 'cycle', ['a', 'b'], 'cycle detected with no exit condition: [a, b, a]'],
  ['a>b b>c b>. c>b', 'cycle', ['b', 'c'], 'cycle detected with no exit condition: [b, c, b]'],
  ['a>a', 'self-loop', ['a'], "self-loop detected on node 'a' with no exit condition"],
  ['a?b a?. b>b', 'self-loop', ['b'], "self-loop detected on node 'b' with no exit condition"],
  ['a>b b?a', 'no-exit', ['a', 'b'], 'cycle detected whose conditions never exit: [a, b, a]'],
  ['a?a', 'no-exit', ['a'], 'cycle detected whose conditions never exit: [a, a]'],
  ['a>. b>.', 'unreachable', ['b'], "no way leads from the start 'a' to [b]"],
  ['a>. b>c c>b', 'unreachable', ['b', 'c'], "no way leads from the start 'a' to [b, c]"],
  ['a>b a>c b>. c>.', 'fork', ['a', 'b', 'c'], "plain edges lead from 'a' to [b, c], and a run is at one node"],
  [
    'a?b a?. b>. b>a',
    'fork',
    ['b', '__end__', 'a'],
    "plain edges lead from 'b' to [__end__, a], and a run is at one node",
  ],
])('says of %s what is wrong, where and what to do', (text, type, nodes, message) => {
  const faults = findFaults(shapeOf(text))

  expect(faults).toContainEqual({ type, nodes, message, hint: expect.any(String) })
})

it('finds starts, ends of edges and names that are not there or not possible', () => {
  const nodes = ['a', 'a', '', ' ', END]

  expect(messages(findFaults({ ...shapeOf('a>b a>a2 c>.', { nodes }), start: 'z' }))).toEqual([
    "two nodes are named 'a'",
    'a node has no name',
    'a node has no name',
    "the name '__end__' is reserved for the end",
    "the start 'z' is no node",
    "an edge leads from 'a' to 'b', which is no node",
    "an edge leads from 'a' to 'a2', which is no node",
    "an edge begins at 'c', which is no node",
    'no edge leads on from [,  ]',
  ])
  expect(messages(findFaults({ nodes: [], edges: [] }))).toEqual(['no start is given'])
})

it.each([undefined, { nodes: ['a'] }, { nodes: [1], edges: [] }, { nodes: ['a'], edges: [null] }])(
  'says what is wrong with data that is no graph: %j',
  (data) => {
    for (const read of [findFaults, toMermaid])
      expect(() => read(data as never)).toThrow(/^The graph of \w+\(\) has a wrong or missing `(nodes|edges)`/)
    expect(() => position(initialState, data as never)).toThrow('The graph of position() has a wrong or missing `name`')
    expect(() => visitCounts([], data as never)).toThrow('The graph of visitCounts() has a wrong or missing `name`')
  },
)

it('finds nodes that lead nowhere, and not again those before them', () => {
  expect(findFaults(shapeOf('a>b b>c', { nodes: ['a', 'b', 'c'] }))).toMatchObject([{ type: 'dead-end', nodes: ['c'] }])
})

it('names the node to make of several plain edges', () => {
  expect(findFaults(shapeOf('a>b a>c b>. c>.'))[0]?.hint).toContain('parallel({ … })')
})

it('tells several faults at once', () => {
  const faults = findFaults(shapeOf('a?b b>c c>b a?x x>x y>.'))

  expect(faults.map(({ type }) => type)).toEqual(['cycle', 'self-loop', 'unreachable'])
})

it('shows the shortest way around, and only the ends of a long one', () => {
  const ring = Array.from({ length: 30 }, (_, n) => `${n}>${(n + 1) % 30}`).join(' ')

  expect(messages(findFaults(shapeOf('a>b b>c b>d c>b d>e e>b')))).toEqual([expect.stringContaining('[b, c, b]')])
  expect(messages(findFaults(shapeOf(ring, { start: '0' })))).toEqual([
    'cycle detected with no exit condition: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 20 more …, 0]',
  ])
})

it.each(['__proto__', 'constructor', 'toString', 'a b', 'ä→😀', '0', '</script>', '"'])(
  'takes %j for a name',
  (name) => {
    const edges = [
      { from: name, to: 'x', conditional: false },
      { from: 'x', to: name, conditional: false },
    ]
    const [fault] = findFaults({ nodes: [name, 'x'], edges, start: name })

    expect(fault).toMatchObject({ type: 'cycle', nodes: [name, 'x'] })
    expect(({} as { x?: unknown }).x).toBeUndefined()
  },
)

it('goes through graphs of any depth', () => {
  const line = (length: number, last: string, conditional: boolean): GraphShape => {
    const nodes = Array.from({ length }, (_, n) => `n${n}`)
    const edges = nodes.map((from, n) => ({ from, to: nodes[n + 1] ?? last, conditional }))
    return { nodes, edges, start: 'n0' }
  }

  expect(findFaults(line(20_000, END, false))).toEqual([])
  expect(findFaults(line(10_000, 'n0', false))).toMatchObject([{ type: 'cycle', nodes: { length: 10_000 } }])
  expect(findFaults(line(10_000, 'n0', true))).toMatchObject([{ type: 'no-exit', nodes: { length: 10_000 } }])
})

/** Returns all that can be reached by at least one edge, by brute force (Warshall, 1962). */
function reachable(size: number, edges: readonly (readonly [number, number, boolean])[]): boolean[][] {
  const all = Array.from({ length: size }, () => new Array<boolean>(size).fill(false))
  for (const [from, to] of edges) if (all[from]) all[from][to] = true
  for (let via = 0; via < size; via++)
    for (const row of all) if (row[via]) for (let to = 0; to < size; to++) row[to] ||= all[via]?.[to] ?? false
  return all
}

const randomGraph = fc.integer({ min: 1, max: 9 }).chain((size) => {
  const node = fc.nat({ max: size - 1 })
  return fc.record({
    size: fc.constant(size),
    edges: fc.array(
      fc.tuple(
        node,
        node,
        fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
      ),
      { maxLength: 16 },
    ),
  })
})

it('agrees with a second way to find cycles on ten thousand random graphs', () => {
  fc.assert(
    fc.property(randomGraph, ({ size, edges }) => {
      const names = Array.from({ length: size }, (_, n) => `${n}`)
      const faults = findFaults({
        nodes: names,
        edges: edges.map(([from, to, conditional]) => ({ from: `${from}`, to: `${to}`, conditional })),
        start: '0',
      })

      const paths = reachable(size, edges)
      const guarded = new Set(edges.flatMap(([from, , conditional]) => (conditional ? [from] : [])))
      const mates = names.map((_, n) => names.flatMap((_, m) => (paths[n]?.[m] && paths[m]?.[n] ? [m] : [])))
      const pure = mates.filter((nodes, n) => nodes.length > 1 && nodes[0] === n && !nodes.some((m) => guarded.has(m)))
      const loops = edges.flatMap(([from, to]) => (from === to && !guarded.has(from) ? [`${from}`] : []))
      const found = (type: Fault['type']) => faults.filter((fault) => fault.type === type).map(({ nodes }) => nodes)
      expect(found('cycle')).toEqual(pure.map((nodes) => nodes.map(String)))
      expect(found('self-loop').flat()).toEqual([...new Set(loops)].sort())
    }),
    { numRuns: 10_000 },
  )
})
