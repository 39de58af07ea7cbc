import { defineConfig } from 'tsdown'
import { library } from '../../tsdown.base.ts'

export default defineConfig([
  library,
  {
    entry: { 'cli/index': 'src/cli/index.ts' },
    platform: 'node',
    format: 'esm',
    target: 'es2023',
    fixedExtension: false,
    clean: false,
  },
])
