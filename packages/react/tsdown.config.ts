import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/history/index.ts', 'src/internal.ts'],
  // Each module is a file, so that 'use client' stands where it is needed: of the history, a server uses all but the hook.
  unbundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2023',
  // Who bundles the app says whether it is for production.
  define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
  dts: true,
  sourcemap: true,
  copy: ['src/styles.css', 'src/styles.d.ts'],
  // 'use client' is kept: the first line of an entry that has it.
  suppressWarnings: ['module level directive'],
})
