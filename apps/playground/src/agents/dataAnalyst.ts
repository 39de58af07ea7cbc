import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, agent, askUser, type PriceTable } from '@interleave/core'
import { createDesk } from '../tables/desk.ts'
import { aggregate } from '../tools/aggregate.ts'
import { describeColumns } from '../tools/describeColumns.ts'
import { filterRows } from '../tools/filterRows.ts'
import { openFile } from '../tools/openFile.ts'
import { topRows } from '../tools/topRows.ts'

/** Computes on a CSV file from the user's disk. Make one for each conversation: the file lies on its desk. */
export function dataAnalyst(model: LanguageModelV4, prices: PriceTable = {}): Agent<string> {
  const desk = createDesk()
  return agent({
    name: 'data analyst',
    model,
    prices,
    instructions:
      'You answer questions about a CSV file that the user picks. Open it and look at its columns first. Every number comes ' +
      'from a tool: you see only a few sample rows.',
    tools: {
      openFile: openFile(desk),
      describeColumns: describeColumns(desk),
      aggregate: aggregate(desk),
      filterRows: filterRows(desk),
      topRows: topRows(desk),
      askUser: askUser(),
    },
  })
}
