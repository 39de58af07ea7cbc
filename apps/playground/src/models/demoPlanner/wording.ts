import { words } from './tokenise.ts'

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
/** The name of a tool or a field in words: `searchHotels` is "search hotels". */
export const spaced = (name: string): string => words(name).join(' ')
export const shorten = (text: string, length = 80): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text
