import { scriptedModel } from '@interleave/testing'
import { it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, tool } from './index.ts'

const model = scriptedModel()
const search = tool({ inputSchema: z.object({ q: z.string() }), execute: ({ q }) => q })

// Each option has a line of its own: an error of the whole call would be at the line of its name.
it('marks a wrong option of agent() at the option', () => {
  agent({ name: 'a', model, backend: reasonAct(), tools: { search } })
  agent({
    name: 'a',
    model,
    // @ts-expect-error a misspelled option
    instrutions: 'Be brief.',
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error an option of the AI SDK
    maxSteps: 5,
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error an option of reasonAct()
    limits: { iterations: 3 },
  })
  agent({
    name: 'a',
    // @ts-expect-error the name of a model
    model: 'gpt-5',
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error no text
    instructions: 5,
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error tools have names
    tools: [search],
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error no schema
    output: 'number',
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error a table without prices()
    prices: { 'gpt-5': { input: 1, output: 2 } },
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error a schema without answer()
    output: z.object({ n: z.number() }),
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error no step
    backend: {},
  })
  agent({
    name: 'a',
    model,
    // @ts-expect-error a number
    version: 2,
  })
})

it('asks for a name, and for a model or a backend that needs none', () => {
  // @ts-expect-error no model
  agent({ name: 'a' })
  // @ts-expect-error no model for this backend
  agent({ name: 'a', backend: reasonAct() })
  // @ts-expect-error no name
  agent({ model })
})
