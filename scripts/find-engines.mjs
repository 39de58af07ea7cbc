// Finds the browsers of the tests, and what drives them.
import { existsSync, readdirSync } from 'node:fs'
import process from 'node:process'
import { Failure } from './fetch-tool.mjs'
import { findChromium, onPath } from './find-chromium.mjs'

/** Finds Firefox. FIREFOX_PATH overrides the search. */
export const findFirefox = () => named('FIREFOX_PATH') ?? onPath(['firefox-esr', 'firefox'])

/** Finds the driver of WebKitGTK, its browser and the display that this needs, or nothing if one of them is missing. */
export function findWebKit() {
  const [driver, xvfb, browser] = [onPath(['WebKitWebDriver']), onPath(['Xvfb']), findMiniBrowser()]
  return driver && xvfb && browser ? { driver, xvfb, browser } : undefined
}

function findMiniBrowser() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => `/usr/lib/${name}`) : []
  return ['4.1', '6.0', '4.0']
    .flatMap((version) => folders.map((folder) => `${folder}/webkit2gtk-${version}/MiniBrowser`))
    .find((file) => existsSync(file))
}

function named(variable) {
  const file = process.env[variable]
  if (file && !existsSync(file)) throw new Failure(`${variable} names ${file}, which does not exist`)
  return file
}

/** How each engine is found, and the packages of apt that have it. Ubuntu's own browsers are snaps, which no driver starts. */
export const engines = {
  chromium: {
    find: findChromium,
    debian: ['chromium', 'fonts-liberation'],
    ubuntu: [],
    advice:
      'The browser tests need Chromium or Chrome, and none was found. Install one, ' +
      'or name one: CHROMIUM_PATH=/path/to/chrome npm test',
  },
  firefox: {
    find: findFirefox,
    debian: ['firefox-esr'],
    ubuntu: [],
    advice:
      'The soak tests run in Firefox too, and none was found. Install it, name it by FIREFOX_PATH, ' +
      'or leave it out: ENGINES=chromium npm run test:soak',
  },
  webkit: {
    find: findWebKit,
    debian: ['webkit2gtk-driver', 'xvfb'],
    ubuntu: ['webkit2gtk-driver', 'xvfb'],
    advice:
      'The soak tests run in WebKitGTK too, and its driver or Xvfb was not found. On Debian or Ubuntu, install ' +
      'webkit2gtk-driver and xvfb; elsewhere leave it out: ENGINES=chromium,firefox npm run test:soak',
  },
}

/**
 * Returns the engines that ENGINES names, or all. None may be left out in continuous integration.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {('chromium' | 'firefox' | 'webkit')[]}
 */
export function enginesOf(env) {
  const all = Object.keys(engines)
  const chosen = (env.ENGINES ?? all.join())
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const unknown = chosen.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Failure(`\`ENGINES\` names ${unknown}. Name some of ${all}.`)
  if (env.CI && env.CI !== 'false' && all.some((name) => !chosen.includes(name)))
    throw new Failure(`\`ENGINES\` must not leave out an engine where \`CI\` is set. Unset it.`)
  return all.filter((name) => chosen.includes(name))
}
