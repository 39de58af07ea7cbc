import { expect, it } from 'vitest'
import { needsData } from './needsData.ts'
import { type Neutral, recordedNeutral, runNeutral } from './neutral.ts'
import { promptsOf } from './oracle.ts'
import { type Replayed, replayTrajectory } from './replayTrajectory.ts'
import { tallying } from './tally.ts'
import {
  isComplete,
  type RecordedRun,
  readTrajectories,
  runsOf,
  type Trajectory,
  trajectoriesFile,
  turnsOf,
} from './trajectory.ts'

const rows = readTrajectories()
/** Messages as JSON: an absent field and one that is undefined are the same. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const tallyRow = tallying({ file: trajectoriesFile, of: rows.length })
needsData(trajectoriesFile)

it.for(rows.filter((row) => completeRuns(row).length > 0))('replays each run of $id', async (row, { task }) => {
  const runs = completeRuns(row)
  tallyRow(task, 'each run', { row: row.id, parts: runs.length })

  for (const run of runs) await expectSame(row, [run])
})

it.for(rows.filter((row) => longestStretch(row).length > 1))('replays $id as one run', async (row, { task }) => {
  const [first, ...later] = longestStretch(row)
  tallyRow(task, 'as one run', { row: row.id, parts: 1 })
  if (!first) throw new Error('There is no run to replay.')

  await expectSame(row, [first, ...later])
})

it.for(rows.filter((row) => unlistedRuns(row).length > 0))(
  'refuses what $id calls and has not',
  async (row, { task }) => {
    const runs = unlistedRuns(row)
    tallyRow(task, 'unknown tools', { row: row.id, parts: runs.length })

    for (const run of runs) await expectRefusals(row, run)
  },
)

function completeRuns(row: Trajectory): RecordedRun[] {
  return runsOf(row).filter(isComplete)
}

/**
 * The most runs in a row that one run of the engine can go through. `say` begins to work at once, so a user who wrote two
 * messages in a row can only be at the beginning.
 */
function longestStretch(row: Trajectory): RecordedRun[] {
  let longest: RecordedRun[] = []
  let stretch: RecordedRun[] = []
  for (const run of runsOf(row)) {
    if (!isComplete(run)) stretch = []
    else stretch = run.input.length === 1 ? [...stretch, run] : [run]
    if (stretch.length > longest.length) longest = stretch
  }
  return longest
}

/** The runs in which the model calls a tool that it was not told of. */
function unlistedRuns(row: Trajectory): RecordedRun[] {
  const names = (run: RecordedRun) => turnsOf(run.messages).flatMap(({ tool_calls }) => tool_calls ?? [])
  return completeRuns(row).filter((run) => names(run).some(({ name }) => !isListed(row, name)))
}

function isListed({ tools = [] }: Trajectory, name: string): boolean {
  return tools.some((tool) => tool.name === name)
}

async function expectSame(row: Trajectory, runs: [RecordedRun, ...RecordedRun[]]): Promise<void> {
  const replayed = await replayTrajectory(row, runs, { standIn: true })

  expect(await runNeutral(replayed.run)).toEqual(recordedNeutral(runs.flatMap(({ messages }) => messages)))
  expectAnswers(replayed, runs)
  expect(replayed.model.calls.map(({ prompt }) => plain(prompt))).toEqual(plain(await promptsOf(runs)))
}

function expectAnswers({ signals }: Replayed, runs: readonly RecordedRun[]): void {
  const finals = runs.map(({ messages }) => messages.findLast(({ role }) => role === 'assistant')?.content ?? '')
  expect(signals).toEqual(finals.map((output) => ({ type: 'answer', reason: 'text', output })))
}

async function expectRefusals(row: Trajectory, run: RecordedRun): Promise<void> {
  const replayed = await replayTrajectory(row, [run], { standIn: false })

  let asked: Extract<Neutral, { role: 'assistant' }>['calls'] = []
  const refused = recordedNeutral(run.messages).map((message) => {
    if (message.role === 'assistant') asked = [...message.calls]
    const call = message.role === 'tool' ? asked.shift() : undefined
    if (!call || isListed(row, call.name)) return message
    return { ...message, error: true, content: expect.stringContaining(`no tool "${call.name}"`) }
  })
  expect(await runNeutral(replayed.run)).toEqual(refused)
  expectAnswers(replayed, [run])
}
