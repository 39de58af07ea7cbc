import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // React, the agent and zod have 520 kB together, which are 170 kB on the way.
  build: { chunkSizeWarningLimit: 700 },
})
