import { type SqlStorage, sqlJournal } from '@interleave/cloudflare'
import { journalCases } from './journalCases.ts'

interface Env {
  readonly JOURNALS: {
    idFromName(name: string): unknown
    get(id: unknown): { fetch(request: Request): Promise<Response> }
  }
}

/** Runs one case per object, so that each begins with an empty journal. */
export class JournalObject {
  readonly #storage: SqlStorage

  constructor(ctx: { readonly storage: SqlStorage }) {
    this.#storage = ctx.storage
  }

  async fetch(request: Request): Promise<Response> {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
    try {
      const found = journalCases(() => sqlJournal(this.#storage)).find((each) => each.name === name)
      if (!found) throw new Error(`There is no case "${name}".`)
      await found.run()
      return Response.json('passed')
    } catch (error) {
      return Response.json(String(error))
    }
  }
}

export default {
  fetch: (request: Request, { JOURNALS }: Env): Promise<Response> =>
    JOURNALS.get(JOURNALS.idFromName(request.url)).fetch(request),
}
