import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    'tools/index': 'src/tools/index.ts',
    index: 'src/index.ts',
    'journal/index': 'src/journal/index.ts',
    'journal/indexedDb/index': 'src/journal/indexedDb/index.ts',
    'steps/index': 'src/steps/index.ts',
    'observe/index': 'src/history/index.ts',
    'agents/index': 'src/agents/index.ts',
    'graph/index': 'src/graph/index.ts',
    fetch: 'src/fetch.ts',
    shapes: 'src/validate/shapes.ts',
    internal: 'src/internal.ts',
  },
  platform: 'neutral',
  format: 'esm',
  target: 'es2023',
  dts: true,
  sourcemap: true,
})
