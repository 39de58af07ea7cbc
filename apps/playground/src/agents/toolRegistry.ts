import type { LanguageModelV4 } from '@ai-sdk/provider'
import { declared, type Registry, registry } from '@interleave/config'
import type { Price, Step } from '@interleave/core'
import type { PermissionStore } from '@interleave/core/journal'
import { rememberPermissions } from '@interleave/core/steps'
import { z } from 'zod'
import type { Payer } from '../bank/Bank.ts'
import { askIfEnough, asWished, lookIfFound } from '../fares/routes.ts'
import { askWhatNow, bookFare, compareFares, countLook, lookAt } from '../fares/steps.ts'
import { shopTools } from '../shop/shopTools.ts'
import { createDesk } from '../tables/desk.ts'
import { aggregate } from '../tools/aggregate.ts'
import { bookWith } from '../tools/book.ts'
import { calculate } from '../tools/calculate.ts'
import { convertUnits } from '../tools/convertUnits.ts'
import { describeColumns } from '../tools/describeColumns.ts'
import { filterRows } from '../tools/filterRows.ts'
import { openFile } from '../tools/openFile.ts'
import { readSection } from '../tools/readSection.ts'
import { searchConnections } from '../tools/searchConnections.ts'
import { searchDocs } from '../tools/searchDocs.ts'
import { searchHotels } from '../tools/searchHotels.ts'
import { type PageFunctions, showSection } from '../tools/showSection.ts'
import { topRows } from '../tools/topRows.ts'

/** The parts of the page that the agents of its files use. */
export interface Given {
  readonly model: LanguageModelV4
  /** The prices of the model's tokens, if known. */
  priceOf?(modelId: string): Price | undefined
  /** The text of the file that is open in its conversation. */
  readonly file?: string | undefined
  /** The tools that run in the page itself. Undefined on another host, which asks a page. */
  readonly page?: PageFunctions | undefined
  /** Permissions for good. Without a store, none can be given. */
  readonly permissions?: PermissionStore | undefined
  /** The bank that bookings are paid with. Without one, none is paid. */
  readonly bank?: Payer | undefined
}

/** The names that agent files may use. Create one for each conversation: each has its own table. */
export function toolRegistry({ model, priceOf = () => undefined, file, page, permissions, bank }: Given): Registry {
  const desk = createDesk(file)
  return registry({
    models: { chosen: model },
    tools: {
      calculate,
      convertUnits,
      searchConnections,
      searchHotels,
      book: bookWith(bank),
      searchDocs: searchDocs(library),
      readSection: readSection(library),
      showSection: showSection(page),
      openFile: openFile(desk),
      describeColumns: describeColumns(desk),
      aggregate: aggregate(desk),
      filterRows: filterRows(desk),
      topRows: topRows(desk),
      ...shopTools,
    },
    steps: {
      rememberPermissions: declared<{ backend: Step }>(
        ({ step }) => z.strictObject({ backend: step }),
        ({ backend }) => (permissions ? rememberPermissions(backend, { store: permissions }) : backend),
      ),
      countLook: () => countLook,
      lookAt: declared(z.strictObject({ means: z.enum(['train', 'flight']) }), ({ means }) => lookAt(means)),
      compareFares: declared(z.strictObject({ looks: z.int().min(1) }), ({ looks }) => compareFares(looks)),
      askWhatNow: () => askWhatNow,
      bookFare: () => bookFare,
    },
    functions: { lookIfFound, askIfEnough, asWished, known: priceOf },
  })
}

// The documentation and its index are fetched with the first search, not with the page.
const library = async () => (await import('../docs/ownLibrary.ts')).ownLibrary()
