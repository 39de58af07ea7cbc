import { type SqlStorage, sqlJournal } from '@interleave/cloudflare'
import { describeFinding, sampleSchedules } from '@interleave/test-kit/schedules/explore'
import { scenarioNamed } from '@interleave/test-kit/schedules/scenarios'

interface Env {
  readonly SCHEDULES: {
    idFromName(name: string): unknown
    get(id: unknown): { fetch(request: Request): Promise<Response> }
  }
}

/** Plays schedules of one scenario, on the journal of one object. */
export class SchedulesObject {
  readonly #storage: SqlStorage

  constructor(ctx: { readonly storage: SqlStorage }) {
    this.#storage = ctx.storage
  }

  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url)
    const store = sqlJournal(this.#storage)
    const seed = Number(searchParams.get('seed'))
    let runs = seed
    const { schedules, finding } = await sampleSchedules(scenarioNamed(searchParams.get('scenario') ?? ''), {
      seed,
      schedules: Number(searchParams.get('schedules')),
      place: () => ({ store, runId: `r${++runs}` }),
    })
    return Response.json({ schedules, finding: finding && describeFinding(finding) })
  }
}

export default {
  fetch: (request: Request, { SCHEDULES }: Env): Promise<Response> =>
    SCHEDULES.get(SCHEDULES.idFromName(new URL(request.url).search)).fetch(request),
}
