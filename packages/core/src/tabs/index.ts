export type { Owner } from '../event.ts'
export { acrossTabs, type TabAgent, type TabsOptions } from './acrossTabs.ts'
export type { SharedRun } from './createTabRun.ts'
export { tabHost } from './tabHost.ts'
