import { isRecord } from '../../parts/objects.ts'
import type { Observation } from './conversation.ts'
import { concepts } from './tokenise.ts'
import { unitNames } from './units.ts'

/** The number that a result is, or the one in it that the words mean. */
export function numberOf({ value }: Observation, text: string): number | undefined {
  const whole = toNumber(value)
  if (whole !== undefined) return whole
  const leaves = leavesOf(value).flatMap(({ key, value: leaf }) => {
    const number = toNumber(leaf)
    return number === undefined ? [] : [{ key, number }]
  })
  const said = concepts(text)
  const named = leaves.find(({ key }) => concepts(key).some((concept) => said.includes(concept)))
  const result = leaves.find(({ key }) => /^(?:result|value|answer|total|sum|output)$/i.test(key))
  return (named ?? result ?? (leaves.length === 1 ? leaves[0] : undefined))?.number
}

/** A unit that a result names. */
export function unitOf({ value }: Observation): string | undefined {
  const unit = leavesOf(value).find(({ key, value: leaf }) => /unit|currency/i.test(key) || isUnit(leaf))?.value
  return typeof unit === 'string' ? unit : undefined
}

/** A result as one text, for a field that takes one. */
export function asText({ value }: Observation): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

const isUnit = (leaf: unknown): boolean => typeof leaf === 'string' && leaf.length > 1 && unitNames(leaf).length > 1

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return undefined
  return Number(value)
}

function leavesOf(value: unknown, key = '', depth = 0): { key: string; value: unknown }[] {
  if (depth > 3) return []
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((item) => leavesOf(item, key, depth + 1))
  if (!isRecord(value)) return [{ key, value }]
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, name, depth + 1))
}

interface Money {
  /** The field that has it. */
  readonly key: string
  readonly amount: number
  readonly text: string
}

const sums = /^(?:price|cost|fare|total|amount|rate)$/i

/** The price in a record that names its currency, as it is written. */
export function moneyIn(record: Readonly<Record<string, unknown>>): Money | undefined {
  const { currency } = record
  const found = Object.entries(record).find(([key, field]) => sums.test(key) && typeof field === 'number')
  if (!found || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined
  const [key, amount] = found as [string, number]
  const maximumFractionDigits = Number.isInteger(amount) ? 0 : 2
  const text = new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits }).format(amount)
  return { key, amount, text }
}
