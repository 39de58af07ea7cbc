import { afterAll, it } from 'vitest'
import { expectTheSame, splits } from './asRecorded.ts'
import { manifestFile, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
import { startReplayServer } from './replayServer.ts'
import { judge, tallying } from './tally.ts'

const manifest = readManifest()
const server = await startReplayServer(manifest)
const tallyRow = tallying({ file: manifestFile, of: manifest.captures.length })
afterAll(() => server.close())
needsData(manifestFile)

it.concurrent.for(manifest.captures)('reads $id the same however it is split', async (capture, { task }) => {
  tallyRow(task, 'captures', { row: capture.id, parts: splits.length })

  await judge(task, capture.agreed !== false, () => expectTheSame(capture, server.url))
})
