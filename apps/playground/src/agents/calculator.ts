import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, agent, askUser, type PriceTable } from '@interleave/core'
import { calculate } from '../tools/calculate.ts'
import { convertUnits } from '../tools/convertUnits.ts'

/** Calculates and converts units with a real library, so that no digit is a guess. */
export const calculator = (model: LanguageModelV4, prices: PriceTable = {}): Agent<string> =>
  agent({
    name: 'calculator',
    model,
    prices,
    instructions: 'You answer with numbers. Compute every number with a tool; never in your head.',
    tools: { calculate, convertUnits, askUser: askUser() },
  })
