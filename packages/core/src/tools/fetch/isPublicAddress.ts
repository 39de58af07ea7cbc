/**
 * Returns true if an IP address is public. Not public are those of this machine, of private and local networks, of
 * documentation and tests, mapped, translated or tunnelled addresses, and anything that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const four = numberOf(plain)
  if (four !== undefined) return !closed4.some(([start, bits]) => isBelow(four, start, bits))
  const groups = groupsOf(plain)
  if (!groups) return false
  // 2000::/3 is all that is given out. In it there are a few that lead elsewhere.
  const [first = 0, second = 0] = groups
  return first >> 13 === 1 && !closed6.some((fits) => fits(first, second))
}

const closed4: readonly (readonly [start: number, bits: number])[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map((range) => {
  const [start = '', bits] = range.split('/')
  return [numberOf(start) ?? 0, Number(bits)]
})

const closed6: readonly ((first: number, second: number) => boolean)[] = [
  // Special purposes, Teredo and ORCHID among them.
  (first, second) => first === 0x2001 && second < 0x200,
  // Documentation.
  (first, second) => first === 0x2001 && second === 0xdb8,
  (first, second) => first === 0x3fff && second < 0x1000,
  // 6to4 has an address of version 4 in it.
  (first) => first === 0x2002,
]

function isBelow(address: number, start: number, bits: number): boolean {
  const size = 2 ** (32 - bits)
  return Math.floor(address / size) === Math.floor(start / size)
}

/** Four decimal numbers and nothing else. Other ways to write them are read by `URL` before. */
function numberOf(text: string): number | undefined {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  return parts.some((part) => part > 255) ? undefined : parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** The eight numbers of an address of version 6. One with a zone is of a local network, and none here. */
function groupsOf(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = withHexEnd(text).split('::')
  if (more.length > 0) return undefined
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...before, ...Array.from({ length: tail === undefined ? 0 : missing }, () => '0'), ...after]
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}

/** The last two groups may be written as an address of version 4. */
function withHexEnd(text: string): string {
  const at = text.lastIndexOf(':') + 1
  const four = at > 0 ? numberOf(text.slice(at)) : undefined
  if (four === undefined) return text
  return `${text.slice(0, at)}${Math.floor(four / 65_536).toString(16)}:${(four % 65_536).toString(16)}`
}
