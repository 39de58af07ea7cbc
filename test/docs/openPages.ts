import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { nodeListener } from '@interleave/server/node'
import { chromium, type Page } from 'playwright'
import { build, type InlineConfig, type PluginOption, type PreviewServer, preview } from 'vite'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { freePort } from '../processes/freePorts.ts'

export interface PagesOptions {
  /** The folder of all modules. */
  readonly folder: string
  /** The script of each page, by its name, as a module in that folder. */
  readonly scripts: Readonly<Record<string, string>>
  /** Serves /api. */
  readonly api?: (request: Request) => Promise<Response>
  /** Vite's plugins for other languages. */
  readonly plugins?: readonly PluginOption[]
}

export interface Pages {
  /** A new page, in a browser profile of its own. */
  open(name: string): Promise<Page>
  close(): Promise<void>
}

/** Pages as Vite builds them for an app, shown by Chromium. */
export async function openPages({ folder, scripts, api, plugins = [] }: PagesOptions): Promise<Pages> {
  const root = path.join(folder, 'pages')
  mkdirSync(root, { recursive: true })
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(root, `${name}.tsx`), script)
    const html = `<!doctype html><div id="root"></div><script type="module" src="./${name}.tsx"></script>`
    writeFileSync(path.join(root, `${name}.html`), html)
  }
  const plugin = {
    name: 'api',
    configurePreviewServer: ({ middlewares }: PreviewServer) =>
      void (api && middlewares.use('/api', nodeListener(api))),
  }
  const shared: InlineConfig = { root, configFile: false, logLevel: 'error', plugins: [plugin, ...plugins] }
  await build({
    ...shared,
    resolve: { conditions: ['@interleave/source', 'module', 'browser', 'production'] },
    worker: { format: 'es' },
    build: {
      target: 'esnext',
      minify: false,
      emptyOutDir: true,
      rolldownOptions: { input: Object.keys(scripts).map((name) => path.join(root, `${name}.html`)) },
    },
  })
  const port = await freePort()
  const server = await preview({ ...shared, preview: { port, host: '127.0.0.1' } })
  const executablePath = findChromium()
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
  return {
    async open(name) {
      const page = await (await browser.newContext()).newPage()
      await page.goto(`${server.resolvedUrls?.local[0]}${name}.html`)
      return page
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}
