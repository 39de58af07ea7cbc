import type { StoreApi } from 'zustand/vanilla'
import type { Playground } from '../run/Playground.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'
import { toMarked } from './Marks.ts'

export type ShellActions = Pick<Playground, 'openDialog' | 'choose' | 'mark' | 'notify' | 'dismissNotice'>

/** The actions on the page itself, independent of its runs. */
export const shellActions = (store: StoreApi<PlaygroundState>): ShellActions => ({
  openDialog: (dialog) => store.setState({ dialog }),
  choose: (change) => store.setState(({ settings }) => ({ settings: { ...settings, ...change } })),
  mark: (runId, change) => store.setState(({ marks }) => ({ marks: toMarked(marks, runId, change) })),
  notify: (notice) =>
    store.setState(({ notices }) => ({ notices: [...notices.filter(({ id }) => id !== notice.id), notice] })),
  dismissNotice: (id) => store.setState(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) })),
})
