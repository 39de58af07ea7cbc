import { scriptedModel } from '@interleave/testing'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, type ToolSet, tool } from '../index.ts'
import type { ToolSource } from '../run.ts'
import { pinned, toolSource } from './index.ts'

const named = { name: 'a', model: scriptedModel() }
const source = toolSource({ current: () => ({}) })
const look = tool({ inputSchema: z.object({}), execute: () => 1 })

it('takes a source, and a list of sources and tools', () => {
  expectTypeOf(agent({ ...named, tools: source })).toExtend<Agent<string>>()
  expectTypeOf(agent({ ...named, tools: [source, { look }] })).toExtend<Agent<string, { look: typeof look }>>()
  expectTypeOf(agent({ ...named, tools: { look } })).toExtend<Agent<string, { look: typeof look }>>()
  // @ts-expect-error it is made by toolSource()
  agent({ ...named, tools: [{ current: 1 }] })
})

it('gives what it is given', () => {
  expectTypeOf(pinned(source, { pins: {} })).toEqualTypeOf<ToolSource>()
  expectTypeOf(pinned({ look }, { pins: {} })).resolves.toEqualTypeOf<ToolSet>()
})
