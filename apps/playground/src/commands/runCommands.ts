import { focusOn } from '../parts/focus.ts'
import { readAddress } from '../run/address.ts'
import type { Playground } from '../run/Playground.ts'
import { type PlaygroundState, shownIn } from '../run/PlaygroundState.ts'
import { stoppedByUser } from '../run/stoppedByUser.ts'
import { saveRun } from '../run/useExport.ts'
import { isServed } from '../workers/Place.ts'
import type { Command } from './Command.ts'

const statusIn = (page: PlaygroundState) => {
  const run = shownIn(page)?.run
  if (!run) return undefined
  return run.state.signal ? run.state.signal.type : 'working'
}
const isShown = (page: PlaygroundState): boolean => shownIn(page) !== undefined
const isUnderWay = (page: PlaygroundState): boolean => ['working', 'inputNeeded'].includes(statusIn(page) ?? '')
const canResume = (page: PlaygroundState): boolean => ['stopped', 'failed'].includes(statusIn(page) ?? '')

/** The commands for runs, above all for the one that is shown. */
export const runCommands: readonly Command[] = [
  {
    id: 'run.new',
    group: 'New run',
    title: 'New run',
    words: 'start begin conversation',
    keys: 'N',
    run: ({ show }) => {
      void show(undefined)
      focusOn('#composer')
    },
  },
  {
    id: 'run.answer',
    group: 'This run',
    title: 'Answer what is asked',
    words: 'question approve reply waiting',
    keys: 'Mod+.',
    isOffered: (page) => statusIn(page) === 'inputNeeded',
    run: () => document.querySelector<HTMLElement>('[data-interleave="waiting"] button')?.click(),
  },
  {
    id: 'run.stop',
    group: 'This run',
    title: 'Stop the run',
    words: 'cancel abort end',
    keys: 'S',
    isOffered: isUnderWay,
    run: ({ store }) => shownIn(store.getState())?.run.stop(stoppedByUser),
  },
  {
    id: 'run.resume',
    group: 'This run',
    title: 'Resume the run',
    words: 'continue resume retry',
    keys: 'R',
    isOffered: canResume,
    run: ({ store }) => shownIn(store.getState())?.run.resume(),
  },
  {
    id: 'run.kill',
    group: 'This run',
    title: 'Kill it: end the tab or worker that executes the run',
    words: 'crash terminate reload survive',
    isOffered: (page) =>
      isUnderWay(page) && !isServed(shownIn(page)?.place ?? 'server') && page.travelledTo === undefined,
    run: ({ store, kill }) => {
      const { shown } = store.getState()
      return shown === undefined ? undefined : kill(shown)
    },
  },
  {
    id: 'run.travel',
    group: 'This run',
    title: 'Travel through time',
    words: 'scrub rewind history past replay',
    keys: 'T',
    isOffered: (page) => isShown(page) && page.travelledTo === undefined,
    run: ({ store, travel, choosePane }) => {
      const events = shownIn(store.getState())?.log.events ?? []
      choosePane('chat')
      travel(events.at(-1)?.seq)
    },
  },
  {
    id: 'run.now',
    group: 'This run',
    title: 'Back to now',
    words: 'time travel live present',
    keys: 'T',
    isOffered: ({ travelledTo }) => travelledTo !== undefined,
    run: ({ travel }) => travel(undefined),
  },
  {
    id: 'run.fork',
    group: 'This run',
    title: 'Fork from here',
    words: 'branch copy duplicate',
    keys: 'F',
    isOffered: isShown,
    run: ({ store, openFork, choosePane }) => {
      const page = store.getState()
      const conversation = shownIn(page)
      const at = page.travelledTo ?? page.selectedEvent ?? conversation?.log.events.at(-1)?.seq
      choosePane('chat')
      openFork(at)
    },
  },
  {
    id: 'run.compare',
    group: 'This run',
    title: 'Compare with another run',
    words: 'diff difference side by side',
    keys: 'C',
    isOffered: isShown,
    run: ({ openDialog, choosePane }) => {
      choosePane('chat')
      openDialog('compare')
    },
  },
  {
    id: 'run.test',
    group: 'This run',
    title: 'Make a test of this run',
    words: 'golden vitest trace replay save download export',
    isOffered: isShown,
    run: ({ openDialog, choosePane }) => {
      choosePane('chat')
      openDialog('test')
    },
  },
  {
    id: 'run.export',
    group: 'This run',
    title: 'Export the run as a file',
    words: 'save download json',
    keys: 'E',
    isOffered: isShown,
    run: (playground) => {
      const { shown } = playground.store.getState()
      return shown === undefined ? undefined : saveRun(playground, shown)
    },
  },
  {
    id: 'run.many',
    group: 'Runs',
    title: 'Many runs over a data set',
    words: 'evaluate scorer pass rate csv jsonl experiment',
    run: ({ openDialog }) => openDialog('many'),
  },
  {
    id: 'run.import',
    group: 'Runs',
    title: 'Open a run from a file',
    words: 'import load upload json',
    run: ({ choosePane }) => {
      choosePane('runs')
      // Only a click of the user opens a file picker, and this is still part of one.
      document.querySelector<HTMLElement>('#run-file')?.click()
    },
  },
  {
    id: 'run.edit',
    group: 'This run',
    title: 'Edit the agent of this run',
    words: 'instructions tools yaml',
    keys: 'A',
    isOffered: isShown,
    run: ({ store, edit }) => edit(shownIn(store.getState())?.offer),
  },
  {
    id: 'run.next',
    group: 'Go to',
    title: 'Next run',
    keys: ']',
    run: (playground) => showNeighbor(playground, 1),
  },
  {
    id: 'run.previous',
    group: 'Go to',
    title: 'Previous run',
    keys: '[',
    run: (playground) => showNeighbor(playground, -1),
  },
]

/** Shows the next or previous run, as the list has them. */
function showNeighbor({ store, show }: Playground, step: 1 | -1): void {
  const listed = [...document.querySelectorAll<HTMLAnchorElement>('.run-link')].map(({ hash }) => readAddress(hash))
  const ids = listed.flatMap((address) => (address.type === 'run' ? [address.runId] : []))
  const at = ids.indexOf(store.getState().shown ?? '')
  const next = at === -1 ? ids.at(step === 1 ? 0 : -1) : ids[at + step]
  if (next !== undefined) void show(next)
}
