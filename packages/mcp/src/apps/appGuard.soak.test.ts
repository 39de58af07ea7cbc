import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chromiumArgs, findChromium } from '../../../../scripts/find-chromium.mjs'
import { type Served, serve, World } from '../testing/shopServer.ts'
import { pageOf } from './appResource.ts'

let browser: Browser
let site: Served

beforeAll(async () => {
  const sandbox = await readFile(path.join(import.meta.dirname, '../../sandbox.html'), 'utf8')
  const page = (request: Request) => (request.url.includes('sandbox') ? sandbox : '<!doctype html><body></body>')
  site = await serve(
    new World(),
    async (request) => new Response(page(request), { headers: { 'content-type': 'text/html' } }),
  )
  const executablePath = findChromium()
  browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumArgs })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const ways = '["RTCPeerConnection","webkitRTCPeerConnection","WebTransport"].filter((name) => name in window)'
/** A script that tells the page around which ways it has, and whether it runs in a frame of the app. */
const telling = `<script>top.postMessage({ ways: ${ways}, isNested: parent.parent !== top }, "*")</script>`
const asAttribute = telling.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const asString = JSON.stringify(telling).replaceAll('</', '<\\/')
const asUrl = `javascript:${encodeURIComponent(`'${telling}'`)}`
const frame = `<iframe srcdoc="${asAttribute}"></iframe>`
const frameAsString = JSON.stringify(frame).replaceAll('</', '<\\/')
const shadow = `<div><template shadowrootmode="closed">${frame}</template></div>`
const shadowAsString = JSON.stringify(shadow).replaceAll('</', '<\\/')
const script = (code: string): string => `<script>${code}</script>`
const later = (code: string): string => script(`setTimeout(() => { ${code} }, 50)`)
const newFrame = 'const frame = document.createElement("iframe");'
const busy = 'const since = Date.now(); while (Date.now() - since < 1000);'
const spoilt = `MutationObserver.prototype.observe = Element.prototype.remove = Reflect.apply = NodeList.prototype.item = () => null;
RegExp.prototype.test = String.prototype.startsWith = () => true; RegExp.prototype.exec = () => [1];
Object.prototype.attributes = false; Array.prototype[Symbol.iterator] = null; Document.prototype.querySelectorAll = () => [];`

const ownFrames: Readonly<Record<string, string>> = {
  'of its markup': frame,
  'of SVG in its markup': `<svg><foreignObject>${frame}</foreignObject></svg>`,
  'of JavaScript in its markup': `<iframe src="${asUrl}"></iframe>`,
  'of a script': script(`${newFrame} frame.srcdoc = ${asString}; document.documentElement.append(frame)`),
  'of a script that then works': script(
    `${newFrame} frame.srcdoc = ${asString}; document.documentElement.append(frame); ${busy}`,
  ),
  'before a script that works': frame + script(busy),
  'that is empty at first': script(
    `${newFrame} document.documentElement.append(frame); setTimeout(() => { frame.srcdoc = ${asString} }, 50)`,
  ),
  'of HTML': later(`document.body.innerHTML = ${frameAsString}`),
  'of another document': later(
    `document.body.append(new DOMParser().parseFromString(${frameAsString}, "text/html").querySelector("iframe"))`,
  ),
  'in a shadow tree': script(
    `const host = document.createElement("div"); document.documentElement.append(host); host.attachShadow({ mode: "closed" }).innerHTML = ${frameAsString}`,
  ),
  'in a copy of a shadow tree': script(
    `const host = document.createElement("div"); host.attachShadow({ mode: "closed", clonable: true }).innerHTML = ${frameAsString}; document.documentElement.append(host.cloneNode(true))`,
  ),
  'in a shadow tree of its markup': shadow,
  'in a shadow tree of HTML': later(`document.body.setHTMLUnsafe(${shadowAsString})`),
  'in a shadow tree that is written': later(`document.write(${shadowAsString})`),
  'after it has spoilt all methods': script(spoilt) + frame,
  'in a shadow tree after it has spoilt all methods': script(
    `${spoilt} const host = document.createElement("div"); document.documentElement.append(host);
    try { host.attachShadow({ mode: "open" }) } catch {}
    host.shadowRoot.innerHTML = ${frameAsString}`,
  ),
}

/** Shows an app in the sandbox, and returns what it tells within a second of its last words. */
async function shown(html: string): Promise<readonly { ways: string[]; isNested: boolean }[]> {
  const page = await browser.newPage()
  try {
    const { port } = new URL(site.url)
    await page.goto(`http://localhost:${port}/`)
    const none: readonly string[] = []
    const origins = { connectDomains: none, resourceDomains: none, frameDomains: none, baseUriDomains: none }
    const app = pageOf({
      html: html + later('top.postMessage({ isOver: true }, "*")'),
      origins,
      permissions: [],
      hasBorder: true,
    })
    return await page.evaluate(show, { app, sandbox: `http://127.0.0.1:${port}/sandbox` })
  } finally {
    await page.close()
  }
}

/** Runs in the page around. */
function show({ app, sandbox }: { app: string; sandbox: string }) {
  return new Promise<{ ways: string[]; isNested: boolean }[]>((resolve) => {
    const told: { ways: string[]; isNested: boolean }[] = []
    addEventListener('message', ({ data, source }) => {
      const method = 'ui/notifications/sandbox-resource-ready'
      if (data.method === 'ui/notifications/sandbox-proxy-ready')
        source?.postMessage({ jsonrpc: '2.0', method, params: { html: app } }, { targetOrigin: '*' })
      if (data.ways) told.push(data)
      if (data.isOver) setTimeout(() => resolve(told), 1_000)
    })
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    frame.src = sandbox
    document.body.append(frame)
  })
}

it('takes WebRTC away from an app', async () => {
  expect(await shown(telling)).toEqual([{ ways: [], isNested: false }])
})

it.each(Object.entries(ownFrames))('runs no script in a frame %s', async (_, html) => {
  expect(await shown(html)).toEqual([])
})

it('leaves an app what it needs', async () => {
  const custom = script(`customElements.define("x-own", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<p>Shown</p>" }
  })`)
  const check = later(
    'const text = document.querySelector("x-own").shadowRoot.textContent; top.postMessage({ ways: [text], isNested: false }, "*")',
  )
  expect(await shown(`<x-own></x-own>${custom}${check}`)).toEqual([{ ways: ['Shown'], isNested: false }])
})
