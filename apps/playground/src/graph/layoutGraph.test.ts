import { type Edge, END } from '@interleave/core/graph'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layoutGraph } from './layoutGraph.ts'
import { orderRows, rankNodes } from './orderRows.ts'
import { boxHeight, pairsOf } from './rows.ts'
import { crossingsIn } from './uncross.ts'

const edge = (from: string, to: string, conditional = false): Edge => ({ from, to, conditional })
const polling = {
  nodes: ['check', 'left', 'right', 'join', 'wait'],
  edges: [
    edge('check', 'left', true),
    edge('check', 'right', true),
    edge('left', 'join'),
    edge('right', 'join'),
    edge('join', 'wait', true),
    edge('join', END, true),
    edge('wait', 'check'),
  ],
  start: 'check',
}

it('ranks a node below all that lead to it, and the end below all', () => {
  const { rankOf, back } = rankNodes(polling)

  expect(Object.fromEntries(rankOf)).toEqual({ check: 0, left: 1, right: 1, join: 2, wait: 3, [END]: 4 })
  expect([...back]).toEqual([edge('wait', 'check')])
})

it('ranks by the longest way', () => {
  const { rankOf } = rankNodes({
    nodes: ['a', 'b', 'c'],
    edges: [edge('a', 'c', true), edge('a', 'b', true), edge('b', 'c'), edge('c', END)],
    start: 'a',
  })

  expect(Object.fromEntries(rankOf)).toEqual({ a: 0, b: 1, c: 2, [END]: 3 })
})

it('draws a line for each edge, and those back at the side of all boxes', () => {
  const { boxes, lines, width } = layoutGraph(polling)
  const back = lines.find(({ edge: { from } }) => from === 'wait')?.d.match(/-?[\d.]+(?=,)/g) ?? []
  const sides = [...boxes.values()].flatMap(({ x, width: own }) => [x - own / 2, x + own / 2])

  expect(lines.map((line) => line.edge)).toEqual(polling.edges)
  const lane = back.map(Number).find((x) => x < Math.min(...sides) || x > Math.max(...sides))
  expect(lane).toBeGreaterThan(0)
  expect(lane).toBeLessThan(width)
})

it('lets the two targets of a router stand side by side', () => {
  const { boxes } = layoutGraph(polling)
  const x = (name: string): number => boxes.get(name)?.x ?? 0

  expect(boxes.get('left')?.y).toBe(boxes.get('right')?.y)
  expect(x('check')).toBeCloseTo((x('left') + x('right')) / 2, -1)
})

it('draws the branches of a node where it is, each as wide as the widest', () => {
  const branches = ['a', 'a branch with a name']
  const drawn = { nodes: ['work'], edges: [edge('work', END)], start: 'work', parallel: [{ node: 'work', branches }] }

  expect(layoutGraph(drawn).boxes.get('work')).toMatchObject({ branches, width: 2 * 180 })
})

it('lets no lines cross where none have to', () => {
  const to = (name: string, ...targets: string[]) => targets.map((target) => edge(name, target))
  const { rows, ways } = orderRows({
    nodes: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
    edges: [...to('a', 'b', END), ...to('b', 'c', 'd'), ...to('c', 'e'), ...to('d', 'e'), ...to('e', 'f', 'g')].concat(
      to('f', 'g', 'h', END),
      to('g', 'b'),
      to('h', END),
    ),
    start: 'a',
  })

  expect(crossingsIn(rows, pairsOf(ways.values()))).toBe(0)
})

const names = ['a', 'b', 'c', 'd', 'e', 'f']
const anyGraph = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names, END)), { maxLength: 14 })
  .map((pairs) => ({ nodes: names, edges: pairs.map(([from, to]) => edge(from, to)), start: 'a' }))

it('never lays two boxes over each other, nor anything outside of the paper', () => {
  fc.assert(
    fc.property(anyGraph, (drawn) => {
      const { boxes, lines, width, height } = layoutGraph(drawn)
      const all = [...boxes.values()]
      for (const [index, one] of all.entries()) {
        expect(one.x - one.width / 2 >= 0 && one.x + one.width / 2 <= width && one.y + boxHeight / 2 <= height).toBe(
          true,
        )
        for (const other of all.slice(index + 1)) {
          const isAdjacent = Math.abs(one.x - other.x) > (one.width + other.width) / 2
          expect(isAdjacent || Math.abs(one.y - other.y) > boxHeight).toBe(true)
        }
      }
      expect(lines).toHaveLength(drawn.edges.length)
      expect(lines.every(({ d }) => !/NaN|undefined/.test(d))).toBe(true)
    }),
  )
})
