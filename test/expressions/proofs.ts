import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import recheck from 'recheck/lib/browser.js'
import type { ShippedExpression } from './shippedExpressions.ts'

/** The expressions that the checker found linear. To prove all takes minutes, so they are kept, for this version of the checker. */
interface Proofs {
  readonly checker: string
  readonly linear: readonly string[]
}

export const proofsFile = path.join(import.meta.dirname, 'proofs.json')

export const checker: string = createRequire(import.meta.url)('recheck/package.json').version

/** Reads what the same version has proved before. */
export function readProofs(): ReadonlySet<string> {
  const proofs: Proofs = JSON.parse(readFileSync(proofsFile, 'utf8'))
  return new Set(proofs.checker === checker ? proofs.linear : [])
}

export const written = ({ source, flags }: Pick<ShippedExpression, 'source' | 'flags'>): string => `/${source}/${flags}`

/** Why an expression is not known to be linear, with a text to attack it by; undefined if it is. */
export function problemOf({ source, flags }: Pick<ShippedExpression, 'source' | 'flags'>): string | undefined {
  const found = recheck.checkSync(source, flags, { timeout: null, maxIteration: 3 })
  if (found.status === 'safe') return undefined
  if (found.status === 'unknown') return `cannot be decided: ${found.error.kind}`
  return `${found.complexity.summary}, by ${found.attack.pattern}`
}
