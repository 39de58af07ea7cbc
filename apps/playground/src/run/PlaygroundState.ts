import type { Price } from '@interleave/core'
import type { Graph } from '@interleave/core/graph'
import type { PermissionStore } from '@interleave/core/journal'
import type { Offer } from '../agents/index.ts'
import type { Connection, Keyring } from '../models/index.ts'
import { own } from '../parts/objects.ts'
import type { ServerState } from '../remote/probeServer.ts'
import type { ServerReach } from '../remote/serverRuns.ts'
import type { Marks } from '../shell/Marks.ts'
import type { Settings } from '../shell/Settings.ts'
import type { TakenOut } from '../storage/takeOut.ts'
import { type Place, type ServedPlace, servedPlaces } from '../workers/Place.ts'
import type { ComparedRuns } from './address.ts'
import type { Edits } from './edits.ts'
import type { EventLog } from './eventLog.ts'
import type { Finder, Found } from './finder.ts'
import type { OpenRun } from './openRun.ts'
import type { RunModel } from './runModel.ts'

/** A message to the user that belongs to no part of the page. */
export interface Notice {
  /** A notice with the same id replaces it. */
  readonly id: string
  readonly words: string
  readonly tone: 'plain' | 'good' | 'bad'
  /** The action that it offers. Such a notice stays until the user closes it, as one about a problem does. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
}

/** A run that is open in the page, on any host. Many run at once; the page shows one. */
export interface Conversation {
  readonly run: OpenRun
  readonly log: EventLog
  readonly finder: Finder
  readonly runModel: RunModel
  readonly offer: Offer
  /** The file that its agent was made from: the offer's own, or an edited one. */
  readonly file: string
  readonly connection: Connection
  /** The key of the connection is not stored, and was not entered again yet. */
  readonly lacksKey: boolean
  readonly place: Place
  /** The permissions for good; undefined if a server executes the run. */
  readonly permissions?: PermissionStore | undefined
  /** Closes the run in this tab. Another tab that has it open may continue it. */
  close(): void
  /** Ends its host in the middle of its work: this page, or a worker. */
  kill(): void
  readonly title: string
  /** The graph that its agent follows, if it follows one. */
  readonly graph: Graph | undefined
  /** The event after which time travel shows it; such a conversation does not change. */
  readonly past?: Past
}

export interface Past {
  /** The `seq` of that event. */
  readonly at: number
  /** The run as it is now. */
  readonly live: Conversation
}

export type DialogName = 'palette' | 'shortcuts' | 'models' | 'compare' | 'test' | 'many' | 'permissions'

export type Pane = 'runs' | 'chat' | 'details'

export interface PlaygroundState {
  /** The runs that are open in this page, latest first. Others are only stored. */
  readonly conversations: readonly Conversation[]
  /** The id of the run that is shown; undefined for a new one. */
  readonly shown: string | undefined
  /** The `seq` of the selected event of that run. */
  readonly selectedEvent: number | undefined
  /** The `seq` of the event after which that run is shown as it was. */
  readonly travelledTo: number | undefined
  /** The `seq` of the event of that run after which it is about to be forked. */
  readonly forkingAt: number | undefined
  /** Two runs that are shown side by side, instead of one. */
  readonly compared: ShownComparison | undefined
  /** The errors of runs that could not be opened, by the run's id. */
  readonly failures: Readonly<Record<string, unknown>>
  /** The notices of interrupted work that the user has dismissed. */
  readonly dismissed: readonly Found[]
  /** The run that was deleted last, until something else is done. */
  readonly removed: TakenOut | undefined
  /** The moves to another host that are under way, by the id of the run. */
  readonly moves: Readonly<Record<string, Move>>
  /** Goes up whenever the stored runs may have changed. */
  readonly changes: number
  /** The settings of new runs. */
  readonly offer: Offer
  readonly connection: Connection
  /** Keys that were entered or unlocked since the page was loaded. In memory only. */
  readonly keys: Keyring
  readonly place: Place
  /** The availability of servers for new runs. */
  readonly servers: Readonly<Record<ServedPlace, ServerState>>
  /** The connections of the runs that are there. */
  readonly reach: Readonly<Record<ServedPlace, ServerReach>>
  /** The prices of tokens, by model id, that the user entered. */
  readonly prices: Readonly<Record<string, Price>>
  /** By the id of the offer. */
  readonly edits: Edits
  /** The drafts of the message box, by the id of the run; under the empty id, that of the next one. */
  readonly drafts: Drafts
  /** The agent whose file is open in the editor. */
  readonly editing: Offer | undefined
  /** The id of the tab that is shown of the inside of a run. */
  readonly inside: string
  /** The pane that a narrow page shows. */
  readonly pane: Pane
  readonly isStorageOpen: boolean
  /** The dialog of the page itself that is open. */
  readonly dialog: DialogName | undefined
  readonly settings: Settings
  readonly marks: Marks
  readonly notices: readonly Notice[]
  /** A run is about to start, and its code is being fetched. */
  readonly isStarting: boolean
  /** The first message of that run. */
  readonly startingWith: string | undefined
  /** The latest action of the user that failed. */
  readonly trouble: Trouble | undefined
}

export interface Trouble {
  readonly task: 'start' | 'move' | 'model'
  readonly error: unknown
}

export interface Move {
  readonly id: symbol
  readonly to: Place
  /** The run as it was left, to be shown until it is open again. */
  readonly left?: Conversation
}

export interface ShownComparison extends ComparedRuns {
  /** The run that was shown before, to return to. */
  readonly cameFrom?: string | undefined
}

export type Drafts = Readonly<Record<string, string>>

/** Returns the server of the run that is shown. There may be one before there is a run. */
export const linkedPlace = ({ reach, shown }: PlaygroundState): ServedPlace | undefined =>
  servedPlaces.find((place) => shown !== undefined && own(reach[place].connections, shown))

export const shownIn = ({ conversations, shown }: PlaygroundState): Conversation | undefined =>
  conversations.find(({ run }) => run.id === shown)

/** The move of the run that is shown. The run is closed while it begins in its new place. */
export const shownMove = ({ moves, shown }: PlaygroundState): Move | undefined =>
  shown === undefined ? undefined : own(moves, shown)

/** The run that is shown, or while it moves, what its last host left. */
export const knownIn = (page: PlaygroundState): Conversation | undefined => shownIn(page) ?? shownMove(page)?.left

/** The empty selections. Showing another run resets to these. */
export const noPlace = {
  selectedEvent: undefined,
  travelledTo: undefined,
  forkingAt: undefined,
  compared: undefined,
} as const

/** Returns true if the host of a run knows it. A run of which no event has arrived has no agent version. */
export const hasBegun = ({ log }: Pick<Conversation, 'log'>): boolean =>
  log.events.some((event) => event.type === 'started' && event.version !== '')
