import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { llmProxy } from './src/models/proxy/llmProxy.ts'
import { precache } from './src/offline/precache.ts'
import { ownPageOnly } from './src/safety/ownPageOnly.ts'
import { securityHeaders } from './src/safety/securityHeaders.ts'
import { killable } from './src/server/killable.ts'
import { serveAgents } from './src/server/serveAgents.ts'

export default defineConfig(({ command, mode }) => ({
  plugins: [ownPageOnly(), react(), llmProxy(), killable(), serveAgents(), securityHeaders(), precache()],
  resolve: {
    // In dev the packages are read from their sources; a build uses their dist.
    conditions: command === 'serve' ? ['@interleave/source', ...defaultClientConditions] : [...defaultClientConditions],
    // React's production build leaves <Profiler> out; --mode profile puts it back.
    alias: mode === 'profile' ? { 'react-dom/client': 'react-dom/profiling' } : {},
  },
  // Agents are fetched in parts, also by workers.
  worker: { format: 'es' },
  build: { outDir: mode === 'profile' ? 'dist-profile' : 'dist' },
  // Tests write projects there.
  server: { host: '127.0.0.1', port: 5173, watch: { ignored: ['**/.generated/**'] } },
  preview: { host: '127.0.0.1', port: 5173 },
}))
