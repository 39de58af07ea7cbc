import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from '../index.ts'
import { END, graph, parallel, position, router, toMermaid } from './index.ts'

const flow = graph({
  name: 'flow',
  nodes: { draft: () => undefined, review: () => ({ type: 'stopped', reason: 'x' }) },
  start: 'draft',
  edges: { draft: 'review', review: router(['draft', END], () => END) },
})

it('draws nodes and edges, those of routers dashed', () => {
  expect(toMermaid(flow)).toBe(`flowchart TD
  begin((" "))
  n0["draft"]
  n1["review"]
  over(["end"])
  begin --> n0
  n0 --> n1
  n1 -.-> n0
  n1 -.-> over`)
})

it('marks where a run stands', async () => {
  const run = agent({ name: 'a', model: scriptedModel(), backend: flow }).start('Go')
  await run.settled

  expect(toMermaid(flow, position(run.state, flow))).toMatch(/\n {2}classDef here [^\n]+\n {2}class n1 here$/)
  expect(toMermaid(flow, { node: END, visits: 2 })).toMatch(/class over here$/)
})

it('draws the branches inside of their node, and marks those that have not ended', () => {
  const step = () => undefined
  const both = graph({
    name: 'both',
    nodes: { work: parallel({ a: step, 'b"': step }), join: step },
    start: 'work',
    edges: { work: 'join', join: END },
  })

  expect(toMermaid(both, { node: 'work', branches: ['b"'], visits: 1 })).toBe(`flowchart TD
  begin((" "))
  subgraph n0["work"]
    n0b0["a"]
    n0b1["b#34;"]
  end
  n1["join"]
  over(["end"])
  begin --> n0
  n0 --> n1
  n1 --> over
  classDef here stroke-width:4px
  class n0,n0b1 here`)
})

it.each([
  ['end', 'end'],
  ['a b', 'a b'],
  ['ä→', 'ä#8594;'],
  ['"];x', '#34;#93;#59;x'],
  ['<img src=x>', '#60;img src#61;x#62;'],
  ['#quot;', '#35;quot#59;'],
  ['a\nb', 'a#10;b'],
  ['`**b**`', '#96;#42;#42;b#42;#42;#96;'],
  ['😀', '#128512;'],
  ['__proto__', '__proto__'],
])('is safe with the name %j', (name, label) => {
  const text = toMermaid({ nodes: [name], edges: [{ from: name, to: END, conditional: false }], start: name })

  expect(text.split('\n')).toContain(`  n0["${label}"]`)
  expect(text.split('\n')).toHaveLength(6)
})

it('draws what is not a whole graph', () => {
  expect(toMermaid({ nodes: [], edges: [] })).toBe('flowchart TD\n  begin((" "))\n  over(["end"])')
})
