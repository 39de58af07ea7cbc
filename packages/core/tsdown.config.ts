import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'testing/index': 'src/testing/index.ts',
    'journal/index': 'src/journal/index.ts',
    'journal/indexedDb/index': 'src/journal/indexedDb/index.ts',
    'tabs/index': 'src/tabs/index.ts',
    'worker/index': 'src/worker/index.ts',
    'server/index': 'src/server/index.ts',
    'server/node/index': 'src/server/node/index.ts',
    'remote/index': 'src/remote/index.ts',
    'durable-object/index': 'src/durable-object/index.ts',
    'place/index': 'src/place/index.ts',
    'observe/index': 'src/observe/index.ts',
    'steps/index': 'src/steps/index.ts',
    'text/index': 'src/text/index.ts',
    'agents/index': 'src/agents/index.ts',
    'graph/index': 'src/graph/index.ts',
    'config/index': 'src/config/index.ts',
    'ai-sdk/index': 'src/ai-sdk/index.ts',
  },
  platform: 'neutral',
  format: 'esm',
  target: 'es2023',
  dts: true,
  sourcemap: true,
})
