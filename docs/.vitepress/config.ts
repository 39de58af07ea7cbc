import { readFileSync } from 'node:fs'
import path from 'node:path'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, postcssIsolateStyles } from 'vitepress'
import llms from 'vitepress-plugin-llms'
import { root } from './entryPoints.ts'
import { renderPages } from './markdown.ts'
import { sidebar } from './sidebar.ts'

const source = '@interleave/source'
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
/** Where the repository is, such as https://github.com/owner/name, and where the site is. */
const repository: string | undefined =
  process.env.DOCS_REPOSITORY ?? manifest.repository?.url?.replace(/^git\+|\.git$/g, '')
const site: string | undefined = process.env.DOCS_SITE

/** Returns the anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-')

export default defineConfig({
  title: 'Interleave',
  titleTemplate: ':title · Interleave',
  description:
    'Build agents that think, act and ask, in TypeScript. In the browser, in a worker, on the edge or in Node.',
  lang: 'en',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  ...(site && { sitemap: { hostname: site } }),
  srcExclude: ['node_modules/**'],
  markdown: { anchor: { slugify: anchorOf }, config: renderPages(repository && `${repository}/blob/main`) },
  vite: {
    // Examples look as in an app: the styles of pages end where `vp-raw` begins.
    css: { postcss: { plugins: [postcssIsolateStyles({ includeFiles: [/vp-doc\.css/, /base\.css/] })] } },
    resolve: { conditions: [source, ...defaultClientConditions], dedupe: ['react', 'react-dom'] },
    // What the examples import is found before a reader runs one.
    optimizeDeps: { entries: ['live/*.tsx'], include: ['react', 'react-dom', 'react-dom/client'] },
    ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
    plugins: [
      llms({ ...(site && { domain: site }), ignoreFiles: ['decisions/**', 'reference/**', 'requirements.md'] }),
    ],
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guide', link: '/getting-started', activeMatch: '^/(?!$|reference|tutorial|examples)' },
      { text: 'Tutorial', link: '/tutorial/1-first-run' },
      { text: 'Examples', link: '/examples' },
      { text: 'Reference', link: '/reference/core', activeMatch: '^/reference/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository && {
      editLink: { pattern: `${repository}/edit/main/docs/:path` },
      socialLinks: [{ icon: 'github', link: repository }],
    }),
  },
})
