/** The parts of a keyboard event that tell which keys were pressed. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns true if these are the keys of a shortcut. Shift is part of the character that it makes. */
export function matchesKeys({ key, ctrlKey, metaKey, altKey }: Pressed, keys: string): boolean {
  const { isModified, character } = read(keys)
  return !altKey && (ctrlKey || metaKey) === isModified && key.toLowerCase() === character.toLowerCase()
}

/** Returns true if a shortcut is a character alone: it would also be typed by accident or by speech. */
export const isLetter = (keys: string): boolean => !read(keys).isModified && read(keys).character.length === 1

/** Returns the keys as they are labelled on the keyboard of this machine. */
export function keyCaps(keys: string, isMac: boolean): readonly string[] {
  const { isModified, character } = read(keys)
  const cap = character.length === 1 ? character.toUpperCase() : character
  return isModified ? [isMac ? '⌘' : 'Ctrl', cap] : [cap]
}

/** Returns the keys in the form of `aria-keyshortcuts`. */
export const ariaKeys = (keys: string): string => keys.replace('Mod+', isMac() ? 'Meta+' : 'Control+')

export const isMac = (): boolean => /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '')

function read(keys: string): { readonly isModified: boolean; readonly character: string } {
  const isModified = keys.startsWith('Mod+')
  return { isModified, character: isModified ? keys.slice('Mod+'.length) : keys }
}
