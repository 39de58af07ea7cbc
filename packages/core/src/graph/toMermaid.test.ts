import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from '../index.ts'
import { END, graph, position, router, toMermaid } from './index.ts'

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
  expect(toMermaid(flow, { nodes: ['draft', 'review', END], visits: 2 })).toMatch(/class n0,n1,over here$/)
  expect(toMermaid(flow, { nodes: [], visits: 2 })).toBe(toMermaid(flow))
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
