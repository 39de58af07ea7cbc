import { expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import {
  budgetsOf,
  changeAgent,
  readAgent,
  reasonActOf,
  samplingOf,
  toolsOf,
  withReasonAct,
  withSampling,
  withTool,
} from './agentForm.ts'

const calculator = agents[1]?.file ?? ''
/** Lists on one line are written with spaces at their ends. */
const closed = (text: string) => text.replaceAll('[ ', '[').replaceAll(' ]', ']')

it('keeps the comments and all else of a file that it changes', () => {
  const changed = changeAgent(calculator, (agent) => withTool(agent, 'convertUnits', false))

  expect(closed(changed)).toBe(calculator.replace('calculate, convertUnits, askUser', 'calculate, askUser'))
})

it('comes back to where it was', () => {
  const limited = changeAgent(calculator, (agent) => withReasonAct(agent, { limits: { iterations: 5 } }))
  const unlimited = changeAgent(limited, (agent) => withReasonAct(agent, { limits: {} }))

  expect(limited).toContain('iterations: 5')
  expect(closed(unlimited)).toBe(calculator)
})

it('reads what the form shows', () => {
  const text = changeAgent(calculator, (agent) => withReasonAct(agent, { stop: 'textAnswer', limits: { tokens: 9 } }))
  const options = reasonActOf(readAgent(text)?.config ?? {})

  expect(options?.stop).toBe('textAnswer')
  expect(budgetsOf(options ?? {})).toEqual({ tokens: 9 })
  expect(toolsOf(readAgent(text)?.config ?? {})).toEqual(['calculate', 'convertUnits', 'askUser'])
})

it('changes one setting of the model, and comes back to where it was', () => {
  const set = (text: string, settings: Readonly<Record<string, number>>) =>
    changeAgent(text, (agent) => withReasonAct(agent, withSampling(reasonActOf(agent) ?? {}, settings)))
  const warm = set(calculator, { temperature: 0.5 })

  expect(samplingOf(reasonActOf(readAgent(warm)?.config ?? {}) ?? {})).toEqual({ temperature: 0.5 })
  expect(closed(set(warm, {}))).toBe(calculator)
  expect(samplingOf({ think: 'own' })).toBeUndefined()
})

it('leaves alone what it cannot show', () => {
  const fares = readAgent(agents[4]?.file ?? '')

  expect(reasonActOf(fares?.config ?? {})).toBeUndefined()
  expect(budgetsOf({ limits: { limit: { iterations: 5 } } })).toBeUndefined()
  expect(readAgent('no file')).toBeUndefined()
})

it('adds tools that have options of their own by name', () => {
  const named = { tools: { sums: 'calculate' } } as const

  expect(withTool(named, 'book', true).tools).toEqual({ sums: 'calculate', book: 'book' })
  expect(withTool(named, 'sums', false).tools).toEqual({})
})
