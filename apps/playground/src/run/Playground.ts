import type { Price, UserContent } from '@interleave/core'
import type { ForkEdit, Journal } from '@interleave/core/journal'
import type { StoreApi } from 'zustand/vanilla'
import type { Offer } from '../agents/index.ts'
import type { Connection, Keyring } from '../models/index.ts'
import type { Mark } from '../shell/Marks.ts'
import type { Settings } from '../shell/Settings.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import type { Place, ServedPlace } from '../workers/Place.ts'
import type { ComparedRuns } from './address.ts'
import type { Found } from './finder.ts'
import type { Conversation, DialogName, Notice, Pane, PlaygroundState } from './PlaygroundState.ts'

/** The actions of a user on the page. Runs are only ever started from here, by a click or a key. */
export interface Playground {
  readonly store: StoreApi<PlaygroundState>
  /** Opens the storage when it is first needed. */
  openStorage(): Promise<PageStorage>
  /** Returns a journal of all runs, here and on servers. */
  browse(): Promise<Journal>
  /** Sends a message to the shown run, or starts a run with it. */
  send(text: string, content?: UserContent, sending?: Sending): Promise<void>
  /** Starts a run of an agent with its first message. */
  start(offer: Offer, text: string, content?: UserContent): Promise<void>
  /** Shows a run, and opens it if it is not open, or shows the page for a new one. */
  show(runId: string | undefined): Promise<void>
  /** Selects an event of the shown run, by its `seq`, or none. */
  selectEvent(seq: number | undefined): void
  /** Shows the run as it was after an event, by its `seq`, or as it is. */
  travel(to: number | undefined): void
  /** Opens the dialog to fork the shown run at an event, by its `seq`; undefined closes it. */
  openFork(at: number | undefined): void
  /** Shows two runs side by side. */
  compare(runs: ComparedRuns): void
  /** Tries again to open a run. */
  reopen(runId: string): Promise<void>
  /** Moves a run to another host of this browser. */
  runIn(runId: string, place: Place): Promise<void>
  /** Ends the host of a run in the middle of its work, in any tab. */
  kill(runId: string): Promise<void>
  /** Attaches to a run on a server again, or starts it there if it never began. */
  reattach(runId: string): Promise<void>
  /** Forks a run after an event, and shows the new one. */
  fork(conversation: Conversation, place: Fork): Promise<void>
  /** Creates a new run from the readable part of a damaged one, and shows it. */
  recoverRun(runId: string): Promise<void>
  /** Closes runs that are deleted. */
  forget(runIds: readonly string[]): Promise<void>
  /** Notifies this tab and others that the stored runs have changed. */
  change(): void
  /** Uses another model from now on, in the shown run from its next turn, unless it runs in another tab. */
  connect(connection: Connection, price?: Price): Promise<void>
  /** Holds keys in memory, such as those of the vault. */
  holdKeys(keys: Keyring): void
  chooseOffer(offer: Offer): void
  /** Chooses the host of new runs. */
  choosePlace(place: Place): void
  /** Checks whether this server for runs is there. */
  findServer(place: ServedPlace): Promise<void>
  choosePane(pane: Pane): void
  /** Shows a part of the inside of the run, by the id of its tab. */
  showInside(part: string): void
  showStorage(isOpen: boolean): void
  /** Opens a dialog of the page itself, in place of the one that is open. */
  openDialog(dialog: DialogName | undefined): void
  choose(settings: Partial<Settings>): void
  /** Stores a fact about a run that its log does not have. */
  mark(runId: string, mark: Mark): void
  notify(notice: Notice): void
  dismissNotice(id: string): void
  /** Dismisses the notice of what was found of a run. */
  dismiss(found: Found): void
  /** Stores the text of the message box. */
  draft(text: string): void
  /** Opens the file of an agent in the editor, or closes the editor. What was written stays. */
  edit(offer: Offer | undefined): void
  /** Stores the text of the editor. */
  write(offer: Offer, draft: string): void
  /** Starts new runs of an agent with this file. */
  use(offer: Offer, file: string): void
  /** Restores the file that an agent came with. */
  reset(offer: Offer): void
}

/** The way of a message to its run. */
export interface Sending {
  /** It interrupts the turn and closes the questions that wait. */
  readonly now?: boolean
}

export interface Fork {
  /** The `seq` of the last event that the new run has of the old one. */
  readonly at: number
  /** The new content of that event. */
  readonly edit?: ForkEdit
}
