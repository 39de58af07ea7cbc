import { expect, it } from 'vitest'
import { diagnosisOf } from './diagnose.ts'
import { secret, type WayType, ways } from './index.ts'
import { wayState } from './ways.ts'

const wayOf = (type: WayType) => {
  const way = ways.find((one) => one.type === type)
  if (!way) throw new Error(`There is no way ${type}.`)
  return way
}
const demo = { type: 'demo' } as const
const openai = { type: 'openai', modelId: 'm', key: secret('k'), route: 'proxy' } as const

it('says of each way what is known of it', () => {
  expect(wayState(wayOf('demo'), { connection: openai, probe: undefined }).words).toBe('ready')
  expect(wayState(wayOf('key'), { connection: demo, probe: undefined }).words).toBe('needs a key')
  expect(wayState(wayOf('key'), { connection: openai, probe: undefined }).words).toBe('in use, not checked')
  expect(wayState(wayOf('server'), { connection: demo, probe: undefined }).words).toBe('not checked')
})

it('says what came of asking', () => {
  const wrong = (problem: 'key' | 'unreachable' | 'quota') =>
    wayState(wayOf('key'), {
      connection: openai,
      probe: { ok: false, diagnosis: diagnosisOf(problem, { connection: openai }) },
    })

  expect(wayState(wayOf('server'), { connection: demo, probe: 'asking' }).words).toBe('checking …')
  expect(wayState(wayOf('server'), { connection: demo, probe: { ok: true, models: [] } }).tone).toBe('good')
  expect([wrong('key'), wrong('unreachable'), wrong('quota')].map(({ words }) => words)).toEqual([
    'key refused',
    'not reachable',
    'not ready',
  ])
})
