/** The subject of a test, for the table at the end of `npm run conformance`. */
export interface Tallied extends TalliedFile, TalliedRow {
  /** The property that is checked. */
  readonly check: string
}
interface TalliedFile {
  readonly file: string
  /** The number of its rows, of which a check may concern only some. */
  readonly of: number
}
interface TalliedRow {
  /** The id of the row. */
  readonly row: string
  /** The number of replays: each run of a conversation, each split of a stream. */
  readonly parts: number
  /** The difference from what was recorded, in a row that is not judged. */
  readonly reported?: string
}

declare module 'vitest' {
  interface TaskMeta {
    tallied?: Tallied
  }
}

type Tally = (task: { meta: { tallied?: Tallied } }, check: string, row: TalliedRow) => void

/** For the tests of one file of the data: each says which row it is about. */
export const tallying =
  (file: TalliedFile): Tally =>
  (task, check, row) => {
    task.meta.tallied = { ...file, check, ...row }
  }

/** Checks a row. A difference of one that is not judged is only reported. */
export async function judge(
  { meta }: Parameters<Tally>[0],
  isJudged: boolean,
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (isJudged || !meta.tallied) throw error
    meta.tallied = { ...meta.tallied, reported: error instanceof Error ? error.message : String(error) }
  }
}
