/** Texts that are likely to take an expression long: its own words, over and over, with what it may stumble over between them. */
export function* attacksOn(source: string, length: number): Generator<string> {
  for (const unit of unitsOf(source)) {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length - 2)
    yield text
    yield `${text}\u0000!`
  }
}

const joints = ['', '-', ' ', '.', '0a', '@', '\n', '="', '<', '\u202e']

function unitsOf(source: string): readonly string[] {
  const words = source
    .replace(/\\[pP]\{[^}]*\}|\(\?(?:[:=!]|<[^>]*>|<[=!])|\[[^\]]*\]|\{[\d,]*\}/g, ' ')
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[sSwWdDbBnrtk]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .split(/[\s()|?*+^$]+/)
    .filter((word) => word !== '')
  const prefix = words.slice(0, 3).join('')
  const some = [...new Set([...words.slice(0, 6), prefix, 'a', '\t'])].filter((word) => word !== '')
  return [...new Set(some.flatMap((word) => joints.map((joint) => word + joint)))]
}
