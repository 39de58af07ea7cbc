import type { Engine, EngineName, EngineOptions } from './Engine.ts'
import { puppeteerEngine } from './puppeteerEngine.ts'
import { webKitEngine } from './webKitEngine.ts'

/** Starts a browser of this machine with an empty storage. */
export const openEngine = (name: EngineName, options: EngineOptions = {}): Promise<Engine> =>
  name === 'webkit' ? webKitEngine() : puppeteerEngine(name, options)
