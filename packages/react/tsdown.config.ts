import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts'],
  platform: 'browser',
  format: 'esm',
  target: 'es2023',
  dts: true,
  sourcemap: true,
  copy: ['src/styles.css', 'src/styles.d.ts'],
  // 'use client' is kept: the first line of dist/index.js.
  suppressWarnings: ['module level directive'],
})
