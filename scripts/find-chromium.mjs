// Finds a Chromium or Chrome that is installed on this machine, without any dependency.
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** Returns the first program on PATH that has one of these names, or undefined. */
export function onPath(names) {
  for (const dir of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) {
      const file = path.join(dir, name)
      try {
        accessSync(file, constants.X_OK)
        return file
      } catch {}
    }
  }
}

/** The path of a browser that the tests can drive, or undefined. CHROMIUM_PATH overrides the search. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist`)
    return named
  }
  if (process.platform === 'darwin') {
    return [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ].find((file) => existsSync(file))
  }
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    return roots
      .filter(Boolean)
      .flatMap((root) => [
        path.join(root, 'Google/Chrome/Application/chrome.exe'),
        path.join(root, 'Chromium/Application/chrome.exe'),
        path.join(root, 'Microsoft/Edge/Application/msedge.exe'),
      ])
      .find((file) => existsSync(file))
  }
  return onPath(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'])
}

/** Features of Chromium that no test is about. */
const disabledFeatures = [
  // For each window, pages of the browser's own that nobody sees: half of what opening a page costs.
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  // What Playwright disables by itself: of two lists the browser takes the last.
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** Switches that keep a browser quiet on a machine without a network. Root needs --no-sandbox, as do many containers. */
export const chromiumArgs = [
  ...(process.platform === 'linux' ? ['--no-sandbox', '--disable-dev-shm-usage'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join()}`,
  // No name but this machine's own is looked up: the tests reach nothing else, nor does the browser by itself.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
]
