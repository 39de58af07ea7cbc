import { cloudflareTest } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { chromiumArgs, findChromium } from './scripts/find-chromium.mjs'

const source = '@interleave/source'
/** The same tests in Node, in a browser and in workerd. */
const portable = 'test/portable/**/*.portable.test.ts'
const executablePath = findChromium()
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
    // Half of the tests wait for a browser or a server: with one worker less than cores, the cores wait with them.
    maxWorkers: '100%',
    // No test leaves anything behind, and to begin anew for each file takes minutes.
    isolate: false,
    // A limit for what hangs, not for a machine that is busy.
    testTimeout: 20_000,
    expect: { poll: { timeout: 15_000 } },
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
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/*/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'test/docs/*.test.ts',
            'test/golden/*.test.ts',
            'bench/*.test.ts',
            portable,
          ],
          exclude: ['**/node_modules/**', '**/*.browser.test.ts'],
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
            include: ['packages/*/src/**/*.test-d.{ts,tsx}'],
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
          include: ['packages/*/src/**/*.test.tsx', 'apps/*/src/**/*.test.tsx'],
          exclude: ['**/node_modules/**', '**/*.browser.test.tsx'],
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
          include: ['packages/react/src/{*,history/*,outlet/SignalOutlet}.test.tsx', 'test/react18/*.test.tsx'],
          exclude: ['**/node_modules/**', '**/*.{browser,compiled,react19}.test.tsx'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // Documents and workers live as long as their page.
          isolate: true,
          include: ['packages/*/src/**/*.browser.test.{ts,tsx}', portable],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { ...(executablePath && { executablePath }), args: chromiumArgs } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        extends: true,
        plugins: [cloudflareTest({ miniflare: { compatibilityDate: '2026-07-01' } })],
        test: {
          name: 'edge',
          include: ['test/edge/**/*.edge.test.ts', portable],
        },
      },
      {
        extends: true,
        test: {
          name: 'workerd',
          include: ['test/edge/**/*.workerd.test.ts', 'test/edge-page/*.workerd.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          environment: 'node',
          include: ['test/conformance/**/*.conformance.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'survival',
          include: ['test/survival/*.survival.test.ts', 'test/ai-sdk/*.survival.test.ts'],
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'restate',
          include: ['test/restate/*.restate.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.e2e.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          testTimeout: 90_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
})
