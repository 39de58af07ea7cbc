import { fromUIMessages, toUIMessages, uiMessageChunks } from '@interleave/ai-sdk'
import type { Event } from '@interleave/core'
import { exportRun, fork, importRun, memoryJournal, type RunFile, savedRun } from '@interleave/core/journal'
import { fold, messagesOf, pastRun, replay, scratchpad } from '@interleave/core/observe'
import { replayRun } from '@interleave/testing'
import { printTranscript } from '@interleave/text'
import { toPrompt, toWork } from '../work.ts'
import { answered, createAsker } from './agents.ts'
import type { Growing } from './growing.ts'

/** The numbers of turns. Each has six events, with a tool call and a question. */
const sizes = [500, 1_000, 2_000, 4_000]

const asker = createAsker()
const files = new Map<number, RunFile>()

async function fileOf(iterations: number): Promise<RunFile> {
  const known = files.get(iterations)
  if (known) return known
  const file = await exportRun(await answered(asker.start(toPrompt(toWork({ iterations })), { id: 'r' })))
  files.set(iterations, file)
  return file
}

/** A function of something that is made of the file of a run: most of them keep what they have computed. */
const ofFile = <Input>(name: string, make: (file: RunFile) => Input, work: (input: Input) => unknown): Growing => ({
  name: `${name}, by turns`,
  sizes,
  async prepare(size) {
    const file = await fileOf(size)
    return () => {
      const input = make(structuredClone(file))
      return () => work(input)
    }
  },
})

const eventsIn = ({ events }: RunFile): readonly Event[] => events
const itself = (file: RunFile): RunFile => file

function walk(log: readonly Event[]): void {
  for (const at of log.keys()) pastRun(log, { at })
}

async function testReplay(file: RunFile, agent?: typeof asker): Promise<void> {
  const { difference } = await replayRun(file, agent ? { agent } : {})
  if (difference) throw new Error(difference.message)
}

/** The functions that read, show, convert, copy and repeat the log of a run. */
export const logsThatGrow: readonly Growing[] = [
  ofFile('fold', eventsIn, (log) => fold(log)),
  ofFile('savedRun', eventsIn, (log) => savedRun(log)),
  ofFile('messagesOf', pastRun, (run) => messagesOf(run)),
  ofFile('scratchpad', pastRun, ({ state }) => scratchpad(state)),
  ofFile('pastRun at each event', eventsIn, walk),
  ofFile('replay', itself, (file) => replay(file).play(() => {})),
  ofFile('replayRun', itself, (file) => testReplay(file, asker)),
  ofFile('replayRun without an agent', itself, (file) => testReplay(file)),
  ofFile('exportRun', pastRun, (run) => exportRun(run)),
  ofFile('importRun', itself, (file) => importRun(file, { journal: memoryJournal() })),
  ofFile('fork', itself, (file) => fork(asker, pastRun(file), { at: 4, journal: memoryJournal() })),
  ofFile('toUIMessages', eventsIn, (log) => toUIMessages(log)),
  ofFile('uiMessageChunks', eventsIn, (log) => [...uiMessageChunks(log)].length),
  ofFile(
    'fromUIMessages',
    ({ events }) => toUIMessages(events),
    (messages) => fromUIMessages(messages),
  ),
  ofFile('printTranscript', pastRun, ({ state }) => printTranscript(state)),
]
