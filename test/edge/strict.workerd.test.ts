// The built package in a workerd without Node compatibility: what leans on Node fails here.

import path from 'node:path'
import { Miniflare } from 'miniflare'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coreCases } from '../portable/coreCases.ts'

let miniflare: Miniflare | undefined

beforeAll(async () => {
  miniflare = new Miniflare({
    cf: false,
    workers: [
      {
        config: {
          name: 'strict',
          compatibilityDate: '2026-07-01',
          manifest: {
            mainModule: 'worker.js',
            modules: await bundle('worker.ts'),
          },
        },
      },
    ],
  })
})

afterAll(async () => {
  await miniflare?.dispose()
})

test.each(Object.entries(coreCases))('%s', async (name, { expected }) => {
  const response = await miniflare?.dispatchFetch(`http://edge.test/${encodeURIComponent(name)}`)

  expect(await response?.json()).toEqual({ outcome: expected, process: 'undefined', buffer: 'undefined' })
})

/** Returns the entry and the chunks that are loaded when they are needed. */
async function bundle(file: string): Promise<Record<string, { type: 'esm'; contents: string }>> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    resolve: { conditions: ['workerd', 'worker', 'module'] },
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry: path.join(import.meta.dirname, file), formats: ['es'], fileName: 'worker' },
    },
  })
  const [first] = Array.isArray(output) ? output : [output]
  if (!first || !('output' in first)) throw new Error(`${file} made no bundle`)
  return Object.fromEntries(
    first.output.flatMap((chunk) =>
      chunk.type === 'chunk' ? [[chunk.fileName, { type: 'esm', contents: chunk.code } as const]] : [],
    ),
  )
}
