import { expect, it } from 'vitest'
import { calculate } from './calculate.ts'
import { callOnce } from './callOnce.ts'
import { convertUnits } from './convertUnits.ts'

const tools = { calculate, convertUnits }

it('calculates', async () => {
  const { output } = await callOnce({ tools, name: 'calculate', input: { expression: '2 + 3' } })

  expect(output).toEqual({ expression: '2 + 3', result: 5 })
})

it('tells the model what is wrong with an expression', async () => {
  const { error } = await callOnce({ tools, name: 'calculate', input: { expression: 'x = 1' } })

  expect(error).toMatchObject({ code: 'tool_failed', message: expect.stringContaining('not arithmetic') })
})

it('converts units', async () => {
  const { output } = await callOnce({ tools, name: 'convertUnits', input: { value: 1, from: 'mile', to: 'km' } })

  expect(output).toMatchObject({ result: 1.609344 })
})
