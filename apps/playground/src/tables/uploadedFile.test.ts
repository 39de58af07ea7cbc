import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { describeColumns } from '../tools/describeColumns.ts'
import { openFile } from '../tools/openFile.ts'
import { createDesk } from './desk.ts'
import { uploadedFile } from './uploadedFile.ts'

/** A data analyst at a desk, who opens a file and describes it for each message. */
const analyst = (desk: ReturnType<typeof createDesk>, ...calls: string[]) =>
  agent({
    name: 'analyst',
    model: scriptedModel(...calls.map((name) => ({ calls: [{ name, input: {} }] })), 'Done.'),
    tools: { openFile: openFile(desk), describeColumns: describeColumns(desk) },
  })

it('lays the file of an earlier visit open again', async () => {
  const journal = memoryJournal()
  const first = analyst(createDesk(), 'openFile').start('Open', { id: 'r', journal })
  await first.settled
  await first.reply(first.state.asks[0]?.id ?? '', { file: 'City\nRome\n' })
  await first.settled

  const file = uploadedFile(await journal.read('r'))
  const again = await analyst(createDesk(file), 'describeColumns').resume('r', { journal })
  await again.say('Describe it')
  await again.settled

  expect(file).toBe('City\nRome\n')
  expect(again.state.signal).toMatchObject({ type: 'answer' })
})

it('asks for a file where none was given, or it cannot be read', async () => {
  for (const file of [uploadedFile([]), '']) {
    const run = analyst(createDesk(file), 'describeColumns').start('Describe it')
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ kind: 'form' }] })
  }
})
