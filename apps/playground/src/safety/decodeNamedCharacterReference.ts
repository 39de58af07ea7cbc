import { trustedPolicy } from './trustedPolicy.ts'

/**
 * The character that `&name;` stands for in HTML, false if none. Stands in for the package of this name, which asks the browser in a way
 * that Trusted Types forbid.
 */
export function decodeNamedCharacterReference(name: string): string | false {
  const reference = `&${name};`
  if (!/^[A-Za-z0-9]+$/.test(name)) return false
  const element = document.createElement('i')
  element.innerHTML = trustedPolicy().createHTML(reference)
  const { textContent } = element
  // A browser knows some names without their semicolon, too, and leaves it there.
  return textContent === reference || (textContent.endsWith(';') && name !== 'semi') ? false : textContent
}
