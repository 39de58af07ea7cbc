import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, agent, askUser, type PriceTable } from '@interleave/core'
import { book } from '../tools/book.ts'
import { searchConnections } from '../tools/searchConnections.ts'
import { searchHotels } from '../tools/searchHotels.ts'

/** Finds trains, flights and hotels in a made-up timetable, lets the user choose, and books what the user approves. */
export const tripPlanner = (model: LanguageModelV4, prices: PriceTable = {}): Agent<string> =>
  agent({
    name: 'trip planner',
    model,
    prices,
    instructions:
      'You plan trips between European cities. Search before you propose anything. Let the user choose with askUser when ' +
      'several offers fit, then book what was chosen. Prices are in euros.',
    tools: { searchConnections, searchHotels, book, askUser: askUser() },
  })
