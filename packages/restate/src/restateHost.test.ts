import { agent } from '@interleave/core'
import { manualModel } from '@interleave/test-kit/manualModel'
import * as sdk from '@restatedev/restate-sdk'
import { expect, it } from 'vitest'
import { restateHost } from './restateHost.ts'

it.each([
  [{ efectMs: 1 }, '`segment` has no option `efectMs`. Did you mean `effectMs`?'],
  [{ effectMs: '10m' }, 'The `effectMs` of `segment` must be a number (0 or more).'],
  [{ turns: 0 }, 'The `turns` of `segment` must be a number above 0.'],
])('refuses the segment %o', (segment, problem) => {
  const agents = [agent({ name: 'a', model: manualModel() })]

  expect(() => restateHost({ sdk, agents, ingress: 'http://localhost', segment } as never)).toThrow(problem)
})

it('refuses what is no agent, and what is not the SDK', () => {
  const given = { sdk, agents: [null], ingress: 'http://localhost' } as never

  expect(() => restateHost(given)).toThrow('The agent of restateHost() must be')
  expect(() => restateHost({ ...(given as object), sdk: {} } as never)).toThrow('needs the module')
})
