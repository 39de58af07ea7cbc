import path from 'node:path'
import { bundlePages } from '../processes/bundlePages.ts'

const names = [
  'page',
  'worker',
  'tab',
  'lasting',
  'lastingWorker',
  'manyTabs',
  'leaving',
  'leavingWorker',
  'lending',
  'lendingWorker',
]

/** The pages and the worker as a server gives them out, by path. */
export async function bundlePage(): Promise<ReadonlyMap<string, string>> {
  const folder = path.join(import.meta.dirname, 'page')
  const files = await bundlePages(
    folder,
    names.map((name) => `${name}.ts`),
  )
  const pages = {
    '/': '/page.js',
    '/tab': '/tab.js',
    '/lasting': '/lasting.js',
    '/many': '/manyTabs.js',
    '/leaving': '/leaving.js',
    '/lending': '/lending.js',
  }
  return new Map([...Object.entries(pages).map(([name, script]) => [name, pageOf(script)] as const), ...files])
}

const pageOf = (script: string): string =>
  `<!doctype html><title>Survival</title><script type="module" src="${script}"></script>`
