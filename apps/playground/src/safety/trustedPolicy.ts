interface Rules {
  createScriptURL(url: string): string
  createHTML(html: string): string
}
/** The part of Trusted Types that is used here. Browsers without them take strings. */
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules
}

let made: Rules | undefined

/** The one policy of this page. A name may be used once. */
export function trustedPolicy(): Rules {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const rules = { createScriptURL: ownScript, createHTML: oneEntity }
  made ??= trustedTypes ? trustedTypes.createPolicy('playground', rules) : rules
  return made
}

function ownScript(url: string): string {
  if (new URL(url, location.href).origin === location.origin) return url
  throw new Error(`The page starts only scripts of its own, and not ${url}.`)
}

function oneEntity(html: string): string {
  if (/^&[A-Za-z0-9]+;$/.test(html)) return html
  throw new Error('The page makes no HTML of text.')
}

/** The address of a script of this page's own, for workers. Throws for any other. */
export const trustedScriptUrl = (url: string | URL): string => trustedPolicy().createScriptURL(String(url))
