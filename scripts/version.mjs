/**
 * Returns true if a version is in a range made of ^a.b.c, >=a.b.c and ||. Those are all the forms package.json uses, and a
 * library cannot be used before anything is installed.
 *
 * @param {string} version
 * @param {string} range
 */
export function satisfies(version, range) {
  const [major, minor, patch] = version.split(/[.-]/).map(Number)
  return range.split('||').some((part) => {
    const match = /^\s*(\^|>=)(\d+)\.(\d+)\.(\d+)\s*$/.exec(part)
    if (!match) throw new Error(`cannot read the version range ${part}`)
    const [a, b, c] = match.slice(2).map(Number)
    const order = major - a || minor - b || patch - c
    return order >= 0 && (match[1] === '>=' || major === a)
  })
}
