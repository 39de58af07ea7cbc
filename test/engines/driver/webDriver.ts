/** Sends a command of the W3C WebDriver protocol, and gives its value. */
export type WebDriver = <T = unknown>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<T>

/** Waits for the driver at this address, and opens a session. */
export async function openSession(url: string, capabilities: object): Promise<WebDriver> {
  const send = commandsTo(url)
  while (!(await isReady(url))) await new Promise((resolve) => setTimeout(resolve, 20))
  const { sessionId } = await send<{ readonly sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: capabilities },
  })
  return commandsTo(`${url}/session/${sessionId}`)
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/status`).then(
    ({ ok }) => ok,
    () => false,
  )

interface Refusal {
  readonly error?: string
  readonly message?: string
}

function commandsTo(base: string): WebDriver {
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      ...(method === 'POST' && {
        body: JSON.stringify(body ?? {}),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const { value } = (await response.json()) as { readonly value: T & (Refusal | null) }
    if (!response.ok) throw new Error(`${method} ${path}: ${value?.error}: ${value?.message}`)
    return value as T
  }
}

/** The keys that WebDriver gives a code point of its own. */
const special: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  Meta: '\uE03D',
}

/** Returns a key as WebDriver writes it. */
export function keyValue(key: string): string {
  const value = special[key] ?? key
  if ([...value].length !== 1) throw new Error(`The key ${key} has no code of WebDriver here. Add it.`)
  return value
}
