import { availableParallelism } from 'node:os'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { parseCLI } from 'vitest/node'
import { chromiumArgs, findChromium } from './scripts/find-chromium.mjs'
import { enginesOf } from './scripts/find-engines.mjs'
import { hasAllEngines, isTier, select } from './scripts/tiers.mjs'
import { engineProvider } from './test/engines/provider/engineProvider.ts'

const source = '@interleave/source'
/** The same tests in Node, in a browser and in workerd. */
const portable = 'test/portable/**/*.portable.test.ts'
const executablePath = findChromium()
const { filter: named, options } = parseCLI(['vitest', ...process.argv.slice(2)], { allowUnknownOptions: true })
/** Slow files run if they, or their directories, are named on the command line. TIER=soak or nightly runs those alone. */
const tier = isTier(process.env.TIER) ? process.env.TIER : named.length > 0 ? 'all' : 'quick'
/** The browser tests, of which the slow ones run in Chromium alone. */
const inBrowsers = ['{packages/*,test-kit}/src/**/*.browser.test.{ts,tsx}', portable]
/** The other engines run them with the soak files, or if they are named: `--project firefox`. */
const others = enginesOf(process.env).filter(
  (name) => name !== 'chromium' && (hasAllEngines(process.env.TIER) || [options.project].flat().includes(name)),
)
/** With slow tests, browsers follow the other tests: together they need more than the cores have, and wait for each other. */
const sequence = { groupOrder: tier === 'quick' ? 0 : 1 }
/** Slow tests take long, and each test on a machine that is busy. */
const timeout = tier === 'quick' && !process.env.CI ? 1 : 4
/** React 18, and what stands on it, in place of the React of everything else. */
const react18 = ['react', 'react-dom', '@testing-library/react', '@tanstack/react-query', 'zustand'].map((name) => ({
  find: new RegExp(`^${name}(?=$|/)`),
  replacement: `${import.meta.dirname}/test/react18/node_modules/${name}`,
}))

export default defineConfig({
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    passWithNoTests: true,
    // Many tests wait for a browser or a server: with one worker for each core, the cores would wait with them.
    maxWorkers: availableParallelism() + 1,
    // No test leaves anything behind, and to begin anew for each file takes minutes.
    isolate: false,
    // Limits for what hangs, not for a machine that is busy.
    testTimeout: 60_000 * timeout,
    hookTimeout: 60_000 * timeout,
    expect: { poll: { timeout: 30_000 * timeout } },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.{ts,tsx}'],
      exclude: ['**/*.test.*', '**/*.test-d.*'],
      reporter: ['text', 'json-summary'],
      reportsDirectory: '.cache/coverage',
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          setupFiles: ['test/fixSeed.ts'],
          ...select(
            tier,
            [
              'packages/*/src/**/*.test.ts',
              'test-kit/src/**/*.test.ts',
              'apps/*/src/**/*.test.ts',
              'scripts/**/*.test.ts',
              'test/docs/*.test.ts',
              'test/expressions/*.test.ts',
              'test/golden/*.test.ts',
              'bench/**/*.test.ts',
              portable,
            ],
            ['**/*.browser.test.ts'],
          ),
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            ...select(tier, ['packages/*/src/**/*.test-d.{ts,tsx}']),
            tsconfig: './tsconfig.test.json',
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'react',
          environment: 'happy-dom',
          setupFiles: ['test/fixSeed.ts', 'packages/react/src/waitLonger.ts'],
          ...select(tier, ['packages/*/src/**/*.test.tsx', 'apps/*/src/**/*.test.tsx'], ['**/*.browser.test.tsx']),
        },
        // As the React Compiler makes them.
        plugins: [react({ compiler: true, include: /\.compiled\.test\.tsx$/ })],
      },
      {
        extends: true,
        resolve: { alias: react18 },
        test: {
          name: 'react18',
          environment: 'happy-dom',
          setupFiles: ['packages/react/src/waitLonger.ts'],
          ...select(
            tier,
            [
              'packages/react/src/*.test.tsx',
              'packages/react/src/history/*.test.tsx',
              'packages/react/src/outlet/SignalOutlet.test.tsx',
              'test/react18/*.test.tsx',
            ],
            ['**/*.{browser,compiled,react19}.test.tsx'],
          ),
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          sequence,
          // Documents and workers live as long as their page.
          isolate: true,
          ...select(tier, inBrowsers),
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { ...(executablePath && { executablePath }), args: chromiumArgs } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      ...others.map((name) => ({
        extends: true as const,
        cacheDir: `.cache/vite-${name}`,
        test: {
          name,
          sequence,
          isolate: true,
          ...select('quick', inBrowsers),
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: engineProvider(name),
            instances: [{ browser: name }],
          },
        },
      })),
      {
        extends: true,
        plugins: [cloudflareTest({ miniflare: { compatibilityDate: '2026-07-01' } })],
        test: {
          name: 'edge',
          ...select(tier, ['test/edge/**/*.edge.test.ts', portable]),
        },
      },
      {
        extends: true,
        test: {
          name: 'workerd',
          ...select(tier, ['test/edge/**/*.workerd.test.ts', 'test/edge-page/*.workerd.test.ts']),
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          environment: 'node',
          ...select(tier, ['test/conformance/**/*.conformance.test.ts']),
        },
      },
      {
        extends: true,
        test: {
          name: 'survival',
          testTimeout: 150_000 * timeout,
          ...select(tier, ['test/{survival,ai-sdk,servers,troubles}/*.survival.test.ts']),
        },
      },
      {
        extends: true,
        test: {
          name: 'restate',
          testTimeout: 150_000 * timeout,
          ...select(tier, ['test/restate/*.restate.test.ts']),
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          ...select(tier, ['test/engines/*.engines.test.ts']),
          globalSetup: ['test/e2e/setup.ts'],
          testTimeout: 120_000 * timeout,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          ...select(tier, ['test/e2e/**/*.e2e.test.ts']),
          globalSetup: ['test/e2e/setup.ts'],
          testTimeout: 120_000 * timeout,
        },
      },
    ],
  },
})
