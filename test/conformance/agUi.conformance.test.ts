import { agUiEvents, toAgUi } from '@interleave/ag-ui'
import { agent, reasonAct, textAnswer } from '@interleave/core'
import { collect } from '@interleave/test-kit/collect'
import { afterAll, it } from 'vitest'
import { verified } from '../../packages/ag-ui/src/testing/verify.ts'
import { manifestFile, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
import { modelOf, permissiveTools } from './replayCapture.ts'
import { startReplayServer } from './replayServer.ts'
import { replayTrajectory } from './replayTrajectory.ts'
import { tallying } from './tally.ts'
import { isComplete, readTrajectories, runsOf, trajectoriesFile } from './trajectory.ts'

const manifest = readManifest()
const rows = readTrajectories()
const server = await startReplayServer(manifest)
const tallyCapture = tallying({ file: manifestFile, of: manifest.captures.length })
const tallyRow = tallying({ file: trajectoriesFile, of: rows.length })
afterAll(() => server.close())
needsData(manifestFile)
needsData(trajectoriesFile)

it.concurrent.for(manifest.captures)('streams $id as AG-UI events in their order', async (capture, { task }) => {
  tallyCapture(task, 'captures', { row: capture.id, parts: 1 })
  const run = agent({
    name: 'replay',
    model: modelOf(capture, server.url),
    tools: permissiveTools([capture]),
    backend: reasonAct({ stop: textAnswer(), limits: { iterations: 1 }, think: { retries: 0 } }),
  }).start('Go on.')
  const events = await collect(agUiEvents(run))

  await verified(events)
  await verified(toAgUi(run.log))
})

it.for(rows.filter((row) => runsOf(row).some(isComplete)))(
  'writes $id as AG-UI events in their order',
  async (row, { task }) => {
    const [first, ...later] = runsOf(row).filter(isComplete)
    if (!first) throw new Error('There is no run to replay.')
    tallyRow(task, 'runs', { row: row.id, parts: 1 })
    const { run } = await replayTrajectory(row, [first, ...later], { standIn: true })

    await verified(toAgUi(run.log))
  },
)
