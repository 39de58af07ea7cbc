import { elsewhere, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkConfig, loadAgents, registry } from './index.ts'

const text = `interleave: 1
agents:
  a:
    instructions: Be brief.
    model: [fast, { textMode: { model: fast, format: mrkl } }]
    tools: { search: search, help: { agentTool: { agent: b, description: Helps. } } }
    output: { type: object, properties: { x: { type: string } }, required: [x] }
    backend:
      reasonAct:
        stop: { inOrder: [textAnswer, { finalAnswer: { name: done } }] }
        limits: { limit: { iterations: 5 } }
        before:
          - compact: { contextWindow: 100, strategies: [dropTurns, summarize] }
  b: { model: fast, backend: { graph: { name: g, start: n, nodes: { n: reasonAct }, edges: { n: END } } } }
`
const known = registry({
  models: { fast: scriptedModel() },
  tools: { search: tool({ inputSchema: z.object({}), execute: elsewhere() }) },
})

/** Expects that every mistake is reported, and nothing else is thrown. */
function expectTold(source: unknown): void {
  const problems = checkConfig(source, known)
  const load = () => loadAgents(source as object, known)

  for (const { message } of problems) expect(message).toMatch(/\S/)
  if (problems.length > 0) expect(load).toThrow(expect.objectContaining({ code: 'config_invalid', cause: problems }))
  else expect(load).not.toThrow()
}

const chunk = fc.constantFrom(
  '',
  ' ',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
  ':',
  ': ',
  '- ',
  '*a',
  '&a ',
  '!x ',
  '"',
  "'",
  '0',
  'null',
)
const cut = fc.record({
  at: fc.nat(text.length),
  length: fc.nat(12),
  chunk: fc.oneof(chunk, fc.constantFrom('agents', 'b', '~')),
})

it('survives what hands do to a text', () => {
  fc.assert(
    fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
      const cutText = (whole: string, { at, length, chunk }: (typeof cuts)[number]) =>
        whole.slice(0, at) + chunk + whole.slice(at + length)
      expectTold(cuts.reduce(cutText, text))
    }),
    { numRuns: 200 },
  )
})

it('survives any data, anywhere in a config', () => {
  const valid: unknown = {
    interleave: 1,
    agents: { a: { model: 'fast', backend: { reasonAct: { before: [{ limit: { ms: 1 } }] } } } },
  }
  const paths = [
    [],
    ['agents'],
    ['agents', 'a'],
    ...['model', 'tools', 'output', 'backend'].map((key) => ['agents', 'a', key]),
  ]
  const put = (into: unknown, path: readonly string[], value: unknown): unknown => {
    const [key, ...rest] = path
    const fields = into as Readonly<Record<string, unknown>> | undefined
    return key === undefined ? value : { ...fields, [key]: put(fields?.[key], rest, value) }
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...paths),
      fc.anything({ withBigInt: true, withDate: true, withMap: true }),
      (path, value) => expectTold(put(valid, path, value)),
    ),
    { numRuns: 300 },
  )
})

it('survives any text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => expectTold(any)))
})
