import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    'tabs/index': 'src/tabs/index.ts',
    'worker/index': 'src/worker/index.ts',
    'http/index': 'src/http/index.ts',
    internal: 'src/internal.ts',
  },
  platform: 'neutral',
  format: 'esm',
  target: 'es2023',
  dts: true,
  sourcemap: true,
})
