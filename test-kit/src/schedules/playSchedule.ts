import type { Event } from '@interleave/core'
import { runFile } from '@interleave/core/internal'
import { importRun, memoryJournal } from '@interleave/core/journal'
import { type Action, awayActions, disturbances, lastActions, lateActions, usualActions } from './actions.ts'
import { type Choice, type Choices, scheduleOf } from './choices.ts'
import { createAgent } from './createAgent.ts'
import type { Mutation } from './faults.ts'
import { Life, newBrowser, type Store, toolVersions } from './life.ts'
import { servedRunId } from './openRun.ts'
import { Page } from './page.ts'
import type { Disturbance, Scenario } from './scenarios.ts'
import { type Violation, Witness } from './witness.ts'

export interface Place {
  readonly store: Store
  readonly runId: string
  /** The journal takes real time, for which the scheduler has to wait. */
  readonly isSlow?: true
}

export interface PlayOptions {
  /** Creates the journal; by default a new one in memory. */
  readonly place?: () => Place
  /** Breaks a rule on purpose. */
  readonly mutant?: Mutation
  /** Returns true for violations that count; all by default. */
  readonly counts?: (violation: Violation) => boolean
}

export interface Played {
  readonly violations: readonly Violation[]
  readonly schedule: readonly number[]
  readonly taken: readonly Choice[]
  /** The actions that happened, by name, with the microtasks after each. */
  readonly trace: readonly string[]
}

/** Microtasks that pass after something has happened; first: until nothing happens any more. */
const pauses = [60, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const
const mostActions = 600
const inMemory = (): Place => ({ store: memoryJournal(), runId: 'r' })

/** Plays a scenario to its end, in the order that `choices` decides. */
export async function playSchedule(scenario: Scenario, choices: Choices, options: PlayOptions = {}): Promise<Played> {
  const { counts: isCounted = () => true } = options
  const counts: Partial<Record<Disturbance, number>> = {}
  const stage = new Stage(scenario, choices, options)
  const { witness, trace } = stage
  const isLeft = ({ counts: what }: Action): boolean =>
    what === undefined || (counts[what] ?? 0) < (scenario.most?.[what] ?? 0)

  for (let actions = 0; actions < mostActions; actions++) {
    let usual = stage.usualActions()
    // Not awaited unnecessarily, since that takes microtasks, too.
    if (usual.length === 0 && !isSettled(stage.page)) usual = await waitForActions(stage)
    stage.page.glance()
    const isOver = isSettled(stage.page) && usual.length === 0
    const possible = [
      ...(isOver ? [finish] : usual),
      ...disturbances(stage.page).filter(isLeft),
      ...stage.away.flatMap(lateActions).filter(isLeft),
    ]
    const first = isOver ? 1 : usual.length
    if (first === 0) {
      witness.report('live', `Nothing is left to happen. ${String(stage.page.failure ?? '')}`)
      break
    }
    const action = possible[choices.next(possible.length, first, 0.9)]
    if (!action || action === finish) break
    trace.push(action.name)
    if (action.counts) counts[action.counts] = (counts[action.counts] ?? 0) + 1
    if (action.ends) await stage.reload(action)
    const doing = action.do?.()
    if (doing) await doing
    const pause = pauses[choices.next(pauses.length, 1, 0.5)] ?? 0
    if (pause !== pauses[0]) trace.push(`  ${pause} microtasks`)
    // Inlined: a function to wait with would take microtasks of its own.
    for (let left = pause; left > 0; left--) await undefined
    if (witness.violations.some(isCounted)) break
    if (actions === mostActions - 1) witness.report('live', 'The run does not come to its end.')
  }
  for (const each of [stage.page, ...stage.away]) each.inspect()
  witness.moves()
  const { taken } = choices
  return { violations: witness.violations.filter(isCounted), schedule: scheduleOf(taken), taken, trace }
}

/** The pages of one run, and what outlives them. */
class Stage {
  readonly witness: Witness = new Witness()
  readonly trace: string[] = []
  /** Pages whose run another one has continued. */
  readonly away: Page[] = []
  page: Page
  readonly #scenario: Scenario
  readonly #choices: Choices
  readonly #mutant: Mutation
  readonly #place: Place
  readonly #browser = newBrowser()
  #store: Store
  #numbers = 0
  #loads = 0

  constructor(scenario: Scenario, choices: Choices, { place = inMemory, mutant = {} }: PlayOptions) {
    this.#scenario = scenario
    this.#choices = choices
    this.#mutant = mutant
    this.#place = place()
    this.#store = this.#place.store
    this.page = this.#load(0)
  }

  usualActions(): readonly Action[] {
    return [...usualActions(this.page), ...this.away.flatMap(awayActions)]
  }

  async reload({ ends }: Action): Promise<void> {
    const { page, witness } = this
    page.inspect()
    if (ends === 'shared') {
      page.life.isAway = true
      this.away.push(page)
    } else await end(page, ends === 'kept')
    if (ends === 'moved' && witness.journal.length > 0) this.#store = await moveRun(witness)
    const version = this.#scenario.hasVersions ? this.#choices.next(toolVersions.length, 1, 0.4) : 0
    witness.hasStopped()
    this.trace.push(`load with ${toolVersions[version]?.name}`)
    this.page = this.#load(version)
  }

  #load(version: number): Page {
    const { runId, isSlow } = this.#place
    const { isServed, hasOldWords, held = [] } = this.#scenario
    const life = new Life({
      runId: isServed ? servedRunId(runId) : runId,
      store: this.#store,
      witness: this.witness,
      version: toolVersions[version] ?? toolVersions[0],
      hasOldWords,
      held: new Set([...held, ...(isSlow ? (['claim', 'read'] as const) : [])]),
      fresh: () => ++this.#numbers,
      // Events of different pages have different times.
      now: 1_000 + this.#loads++,
      browser: this.#browser,
    })
    const opened = new Page(life)
    const journal = this.#mutant.journal?.(life.journal, life) ?? life.journal
    opened.open(createAgent(life, this.#scenario, this.#mutant), { journal, scenario: this.#scenario })
    return opened
  }
}

const finish: Action = { name: 'finish' }

const isSettled = ({ run }: Page): boolean => run?.state.signal?.type === 'answer'

/** Gives time to a run that seems to stand still. */
async function waitForActions(stage: Stage): Promise<readonly Action[]> {
  for (let tries = 0; tries < 10; tries++) {
    await passMicrotasks(pauses[0])
    const usual = stage.usualActions()
    if (usual.length > 0 || isSettled(stage.page)) return usual
  }
  return lastActions(stage.page)
}

async function passMicrotasks(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await undefined
}

/** Ends a page. The journal may have its writes under way. */
async function end({ life }: Page, isWritten: boolean): Promise<void> {
  const writes = life.gates.waiting.filter(({ writeOf }) => writeOf !== undefined)
  for (const { work } of isWritten ? writes : []) await keep(work)
  life.end()
}

/** Takes the run to another journal, as a file. */
async function moveRun(witness: Witness): Promise<Store> {
  const journal = memoryJournal()
  const id = await importRun(runFile([...witness.journal]), { journal })
  witness.move(journal.read(id) as readonly Event[])
  return journal
}

async function keep(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch {
    // The journal refuses the write of a page that is gone.
  }
}
