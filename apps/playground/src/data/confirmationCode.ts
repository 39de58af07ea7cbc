import { chance } from './chance.ts'

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** From a key, so that the same booking tried again has the same code. */
export function confirmationCode(key: string): string {
  const random = chance(key)
  return Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)]).join('')
}
