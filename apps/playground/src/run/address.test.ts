import { expect, it } from 'vitest'
import { type Address, linkTo, readAddress } from './address.ts'

it.each<Address>([
  { type: 'run', runId: 'a' },
  { type: 'run', runId: 'a/b c#d%', event: 0 },
  { type: 'run', runId: 'ü', at: 12 },
  { type: 'comparison', a: 'x/y', b: '#z' },
])('finds what %j names in its link', (address) => {
  expect(readAddress(linkTo(address))).toEqual(address)
})

it.each(['', '#', '#/runs/', '#/docs/a', '#/runs/%', '#/compare/a', '#/compare//b'])('finds nothing in %j', (hash) => {
  expect(readAddress(hash)).toEqual({ type: 'new' })
})

it.each(['#/runs/a/at/', '#/runs/a/at/-1', '#/runs/a/events/x', '#/runs/a/beyond/3'])(
  'finds the run in %j, and no event',
  (hash) => {
    expect(readAddress(hash)).toEqual({ type: 'run', runId: 'a' })
  },
)

it('makes a link of an id that is not well-formed', () => {
  expect(linkTo({ type: 'run', runId: 'a\ud800' })).toBe('#/runs/a%EF%BF%BD')
})
