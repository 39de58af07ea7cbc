import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import type { TestProject } from 'vitest/node'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { freePort } from '../processes/freePorts.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The built playground. */
    app: string
    /** The same, built with React's profiling. */
    profile: string
    /** The address of the browser that all tests connect to. */
    browser: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Runs on the server leave no files behind.
  process.env.PLAYGROUND_RUNS = ':memory:'
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium or Chrome was found; npm test tells how to get one.')
  const browser = await chromium.launchServer({ executablePath, args: chromiumArgs, headless: true })
  const app = await serve('production')
  const profile = await serve('profile')
  project.provide('app', url(app))
  project.provide('profile', url(profile))
  project.provide('browser', browser.wsEndpoint())
  return async () => {
    await browser.close()
    await app.close()
    await profile.close()
  }
}

/** Serves what the build step made. Building here would bundle React's development build: vitest sets NODE_ENV. */
async function serve(mode: string): Promise<PreviewServer> {
  const root = path.join(import.meta.dirname, '../../apps/playground')
  const port = await freePort()
  return preview({ root, mode, logLevel: 'error', preview: { host: '127.0.0.1', port } })
}

function url(server: PreviewServer): string {
  return `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`
}
