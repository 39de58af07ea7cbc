import { trustedPolicy } from './trustedPolicy.ts'

/** Returns the character of `&name;` in HTML, false if none. The package of this name breaks Trusted Types. */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`
  if (!/^[A-Za-z0-9]+$/.test(name)) return false
  const element = document.createElement('i')
  element.innerHTML = trustedPolicy().createHTML(reference)
  const { textContent } = element
  // A browser knows some names without their semicolon, too, and leaves it there.
  return textContent === reference || (textContent.endsWith(';') && name !== 'semi') ? false : textContent
}
