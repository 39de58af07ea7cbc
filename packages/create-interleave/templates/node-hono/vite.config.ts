import devServer from '@hono/vite-dev-server'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), devServer({ entry: 'src/server.ts', exclude: [/^(?!\/api\/)/], injectClientScript: false })],
})
