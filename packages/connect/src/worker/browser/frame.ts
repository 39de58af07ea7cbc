import { workerAgent } from '../index.ts'
import type { guide, highlight, pay } from './guide.worker.ts'
import workerUrl from './guide.worker.ts?worker&url'

export type Tools = { highlight: typeof highlight; pay: typeof pay }
/** The objects of a frame for the test that opened it. */
export interface Frame {
  open(tools?: Parameters<typeof workerAgent<typeof guide, Tools>>[2]): ReturnType<typeof workerAgent<typeof guide>>
}

/** Returns the shared worker of a name, which a frame gets from its opener. */
const shared = (name: string): SharedWorker => new SharedWorker(workerUrl, { type: 'module', name })

export const openHere = (name: string): Frame => ({
  open: (options) => workerAgent<typeof guide, Tools>(shared(name), 'guide', options),
})

if (window.name.startsWith('shared-')) Object.assign(window, { frame: openHere(window.name) })
