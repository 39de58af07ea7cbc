import type { Held } from './life.ts'
import type { ToolName } from './scheduleTools.ts'

/** Small enough for all schedules with a few deviations to be played. */
export const smallScenarios: readonly Scenario[] = [
  { name: 'two calls', turns: [['charge', 'charge']], most: { crash: 1, say: 1 } },
  {
    name: 'a call that is approved',
    turns: [['pay', 'charge']],
    held: ['policy'],
    most: { crash: 1, edit: 1, refusal: 1, stale: 1 },
    hasVersions: true,
  },
  { name: 'two policies', turns: [['charge', 'charge']], held: ['policy'], most: { crash: 1 } },
  { name: 'two questions', turns: [['seats']], most: { crash: 1 } },
  { name: 'answers before the tool is back', turns: [['seats']], held: ['host'], most: { crash: 2 } },
  {
    name: 'a call that is interrupted again',
    turns: [['charge']],
    most: { crash: 3 },
    hasOldWords: true,
  },
  { name: 'a call whose time is up', turns: [['charge'], ['charge']], most: { timer: 1, crash: 1 } },
  { name: 'an effect beside a question', turns: [['book']], most: { crash: 1, refuse: 2, stop: 1, timer: 1 } },
  {
    name: 'an approval beside a question',
    turns: [['trip']],
    most: { crash: 2, refuse: 1, edit: 1, stop: 1 },
    hasVersions: true,
  },
  {
    name: 'a child run beside a question',
    turns: [['delegate', 'book']],
    childTurns: [['book']],
    most: { crash: 2, refuse: 2, stop: 1 },
  },
  { name: 'a full journal and a question', turns: [['seats', 'charge']], held: ['host'], most: { refuse: 1 } },
  { name: 'one key', turns: [['quote']], most: { crash: 1 } },
  { name: 'one key of a step', turns: [[]], hasSteps: true, most: { crash: 1 } },
  {
    name: 'a served run',
    turns: [['seats', 'charge']],
    isServed: true,
    most: { crash: 1, look: 2, say: 1, refuse: 1 },
  },
  { name: 'a graph', turns: [['charge']], hasGraph: true, most: { crash: 2, stop: 1, refuse: 1 } },
  { name: 'a run from elsewhere', turns: [['pay', 'charge']], held: ['model', 'policy'], most: { move: 1, crash: 1 } },
  { name: 'a call that changes its input', turns: [['change']], most: { crash: 1 } },
  {
    name: 'calls that are always allowed',
    turns: [['pay'], ['pay', 'pay']],
    held: ['policy'],
    most: { always: 1, revoke: 1, crash: 1, move: 1, edit: 1 },
    hasVersions: true,
  },
  {
    name: 'a permission that is taken back',
    turns: [['pay'], ['charge'], ['pay']],
    most: { always: 1, revoke: 1, crash: 1 },
  },
  {
    name: 'calls that are allowed for good',
    turns: [['pay'], ['pay', 'pay']],
    most: { always: 1, takeBack: 1, crash: 1, edit: 1 },
    hasVersions: true,
    hasStore: true,
  },
  { name: 'a message that interrupts', turns: [['charge']], held: ['model'], most: { hurry: 1, stop: 1, crash: 1 } },
  { name: 'lost answers', turns: [['charge', 'seats']], most: { lose: 3, stop: 1, say: 1, crash: 1 } },
  { name: 'a full journal', turns: [['charge', 'charge']], most: { refuse: 2 } },
  {
    name: 'a child run',
    turns: [['delegate', 'charge']],
    childTurns: [['pay', 'charge']],
    most: { crash: 2, stop: 1, timer: 1, edit: 1, refusal: 1 },
    hasVersions: true,
  },
  {
    name: 'a child run that asks',
    turns: [['delegate']],
    childTurns: [['seats', 'quote']],
    most: { crash: 2, stop: 1, timer: 1, refuse: 3 },
  },
  {
    name: 'a child run that is stopped',
    turns: [['delegate']],
    childTurns: [['charge']],
    held: ['read', 'claim'],
    most: { stop: 4, timer: 4 },
  },
  {
    name: 'two owners',
    turns: [['pay', 'charge'], ['charge']],
    held: ['read', 'claim'],
    most: { takeover: 2, crash: 1, late: 2, say: 1 },
  },
  {
    name: 'two owners and lost answers',
    turns: [['pay', 'charge'], ['charge']],
    held: ['read', 'claim'],
    most: { takeover: 2, lose: 2, late: 1 },
  },
]

const everything = {
  crash: 3,
  move: 1,
  refuse: 1,
  say: 1,
  stop: 1,
  edit: 2,
  refusal: 1,
  stale: 2,
  timer: 1,
  always: 2,
  revoke: 1,
} as const

export const largeScenarios: readonly Scenario[] = [
  {
    name: 'eight calls',
    turns: [['pay', 'charge', 'seats', 'quote', 'change', 'charge', 'pay', 'quote']],
    held: ['policy', 'schema', 'host', 'claim', 'read', 'model', 'stream'],
    most: everything,
    hasVersions: true,
  },
  {
    name: 'four calls',
    turns: [['pay', 'seats', 'charge', 'quote'], ['pay']],
    held: ['policy', 'schema'],
    most: everything,
    hasVersions: true,
  },
  {
    name: 'two turns',
    turns: [
      ['charge', 'change'],
      ['seats', 'charge'],
    ],
    held: ['host', 'claim'],
    hasSteps: true,
    most: everything,
  },
  {
    name: 'a run in two tabs',
    turns: [['seats', 'charge']],
    isShared: true,
    most: { crash: 1, say: 1, refuse: 1 },
  },
  {
    name: 'lost answers in two tabs',
    turns: [['seats', 'charge']],
    isShared: true,
    most: { crash: 1, say: 1, lose: 3 },
  },
  {
    name: 'lost answers of a served run',
    turns: [['seats', 'charge']],
    isServed: true,
    most: { crash: 1, look: 2, say: 1, lose: 3 },
  },
  {
    name: 'four charges',
    turns: [['charge', 'charge', 'charge', 'charge']],
    held: ['policy', 'host'],
    most: { crash: 2 },
  },
]

export function scenarioNamed(name: string): Scenario {
  const scenario = [...smallScenarios, ...largeScenarios].find((each) => each.name === name)
  if (!scenario) throw new Error(`There is no scenario "${name}".`)
  return scenario
}

/** A run to play, and how often the world may disturb it. */
export interface Scenario {
  readonly name: string
  /** The calls that the model makes, one list a turn. */
  readonly turns: readonly (readonly ToolName[])[]
  /** The calls that the model of the child run makes, which `delegate` starts. */
  readonly childTurns?: readonly (readonly ToolName[])[]
  /** Promises that are held back besides writes to the journal and the work of tools. */
  readonly held?: readonly Held[]
  /** The maximum number of each of these; none by default. */
  readonly most?: Partial<Record<Disturbance, number>>
  /** A page that is loaded again may have other tools. */
  readonly hasVersions?: true
  /** An earlier version asked first about an interrupted call, in other words. */
  readonly hasOldWords?: true
  /** Before the first turn a step uses one key for two callers. */
  readonly hasSteps?: true
  /** A user can allow calls for good, in a store that outlives the pages. */
  readonly hasStore?: true
  /** The run is in a server, and a client looks at it. */
  readonly isServed?: true
  /** Tabs share the run: one executes it, and another one follows. */
  readonly isShared?: true
  /** The model works in the last node of a graph, after one with branches. */
  readonly hasGraph?: true
}

export type Disturbance =
  | 'crash'
  | 'refuse'
  /** A write that fails, and comes through later or at once. */
  | 'lose'
  | 'say'
  /** A message that interrupts the work. */
  | 'hurry'
  | 'stop'
  | 'edit'
  | 'refusal'
  | 'stale'
  | 'timer'
  | 'look'
  | 'move'
  /** Another page resumes the run while this one still works. */
  | 'takeover'
  /** A user does something in a page after another one has taken over. */
  | 'late'
  | 'always'
  | 'revoke'
  | 'takeBack'
