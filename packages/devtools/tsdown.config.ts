import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts'],
  // Each module is a file, so that 'use client' is where it is needed.
  unbundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2023',
  // The app's bundler decides whether the build is for production.
  define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
  dts: true,
  sourcemap: true,
  copy: ['src/styles.css', 'src/styles.d.ts'],
  // 'use client' stays: it is the first line of an entry point that has it.
  suppressWarnings: ['module level directive'],
})
