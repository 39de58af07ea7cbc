import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
  },
  platform: 'neutral',
  format: 'esm',
  target: 'es2023',
  dts: true,
  sourcemap: true,
})
