import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AgentConfig, type Config, editConfig, formatConfig, parseConfig } from './index.ts'

/** Words that YAML takes for something else, and whatever else there is. */
const text = fc.oneof(
  fc.constantFrom(
    'no',
    'yes',
    '~',
    'null',
    'true',
    '1',
    '1.0',
    '0x1f',
    '1e3',
    '-',
    '? a',
    '# no',
    '- a',
    'a: b',
    '*a',
    '&a',
  ),
  fc.constantFrom(
    '!tag',
    '---',
    '...',
    '%YAML 1.1',
    '<<',
    '2026-01-01',
    ' a',
    'a ',
    '\ta',
    'a\n',
    '\n\na\n\n',
    'a\r\nb',
    '"',
    "'",
  ),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
)
const key = text.filter((name) => name !== '__proto__' && name !== '')
const plain = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.integer(),
    text,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(key, tie('json'), { maxKeys: 4 }),
  ),
})).json
const agent = fc.record({ model: text, instructions: text, backend: fc.dictionary(key, plain, { maxKeys: 3 }) })
const agents = fc.dictionary(key, agent as fc.Arbitrary<AgentConfig>, { maxKeys: 3 })
const config: fc.Arbitrary<Config> = agents.map((made) => ({ interleave: 1, agents: made }))

it.each(['yaml', 'json'] as const)('reads what it wrote as %s', (as) => {
  fc.assert(
    fc.property(config, (given) => {
      expect(parseConfig(formatConfig(given, as))).toEqual(given)
    }),
  )
})

it('reads what it edited', () => {
  fc.assert(
    fc.property(config, config, fc.constantFrom('yaml' as const, 'json' as const), (before, after, as) => {
      expect(parseConfig(editConfig(formatConfig(before, as), after))).toEqual(after)
    }),
  )
})

const written = `# Our agents.
interleave: 1

agents:
  # Plans the day.
  planner:
    model: [ fast, careful ] # the second stands in
    version: 'no' # in quotes, for other readers
    backend:
      reasonAct:
        limits: { iterations: 0x10 }
        before:
          - hum
          # Speaks last.
          - limit: { tokens: 500 }
`

it('changes nothing where nothing changed', () => {
  expect(editConfig(written, parseConfig(written))).toBe(written)
})

it('keeps comments, order and style when a config is edited', () => {
  const { planner } = parseConfig(written).agents as Record<'planner', AgentConfig>
  const backend = { reasonAct: { limits: { iterations: 3 }, before: [{ limit: { tokens: 500 } }, 'hum'] } }

  const edited = editConfig(written, { interleave: 1, agents: { planner: { ...planner, backend, tools: ['search'] } } })

  expect(edited).toBe(`# Our agents.
interleave: 1

agents:
  # Plans the day.
  planner:
    model: [ fast, careful ] # the second stands in
    version: 'no' # in quotes, for other readers
    backend:
      reasonAct:
        limits: { iterations: 3 }
        before:
          # Speaks last.
          - limit: { tokens: 500 }
          - hum
    tools:
      - search
`)
})

it('keeps aliases where they still say the same', () => {
  const text = 'interleave: 1\nagents:\n  a: &a { model: fast }\n  b: *a\n'
  const [one, other] = [{ model: 'fast' }, { model: 'slow' }]

  const edited = (a: object, b: object) => editConfig(text, { interleave: 1, agents: { a, b } as Config['agents'] })

  expect(edited(one, one)).toBe(text.replace('{ model: fast }', '{ model: fast }'))
  expect(edited(other, other)).toContain('b: *a')
  expect(parseConfig(edited(other, one)).agents).toEqual({ a: other, b: one })
  expect(parseConfig(edited(one, other)).agents).toEqual({ a: one, b: other })
})

it.each(['', '  ', '\t'])('leaves JSON what it is, with its indentation %j', (indent) => {
  const config: Config = { interleave: 1, agents: { a: { model: 'fast' } } }
  const changed: Config = { interleave: 1, agents: { a: { model: 'slow', version: 'no' } } }

  expect(editConfig(JSON.stringify(config, null, indent), changed)).toBe(JSON.stringify(changed, null, indent))
  expect(editConfig(formatConfig(config, 'json'), changed)).toBe(formatConfig(changed, 'json'))
})

it('keeps the line ends and the mark of a text from Windows', () => {
  const yaml = '\uFEFFinterleave: 1\r\n# Ours.\r\nagents: { a: { model: fast } }\r\n'
  const json = '\uFEFF{\r\n  "interleave": 1,\r\n  "agents": {}\r\n}\r\n'
  const config: Config = { interleave: 1, agents: { a: { model: 'slow' } } }

  expect(editConfig(yaml, config)).toBe(yaml.replace('fast', 'slow'))
  expect(editConfig(json, { interleave: 1, agents: {} })).toBe(json)
})

it('edits a long list in linear time', () => {
  const list = (item: string): Config => {
    const inOrder = Array.from({ length: 8_000 }, (_, i) => `${item}${i % 4_000}`)
    return { interleave: 1, agents: { a: { model: 'fast', backend: { inOrder } } } }
  }
  const before = process.cpuUsage()

  expect(parseConfig(editConfig(formatConfig(list('a')), list('b')))).toEqual(list('b'))
  // Time of this process: in quadratic time it takes three times as long.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})

it('does not edit a text that it cannot read', () => {
  expect(() => editConfig('interleave: 2', { interleave: 1, agents: {} })).toThrow('version 2')
})

const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) })
const circle: Record<string, unknown> = {}
circle.of = circle

it.each([
  ['a function', () => 'fast', 'registry'],
  ['deep data', deep(9_000), 'nested'],
  ['data that refers to itself', circle, 'nested'],
])('refuses to write %s, and says where it is', (_, model, words) => {
  const config = { interleave: 1, agents: { a: { model } } } as unknown as Config

  for (const write of [
    () => formatConfig(config),
    () => formatConfig(config, 'json'),
    () => editConfig(written, config),
  ])
    expect(write).toThrow(expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(words) }))
})
