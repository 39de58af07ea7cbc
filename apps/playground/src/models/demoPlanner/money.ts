export interface Money {
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
