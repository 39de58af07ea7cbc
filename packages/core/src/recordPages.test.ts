import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasMember, keysOf, memberOf, membersOf, type RecordPages, withMember, withoutMembers } from './recordPages.ts'

const filled = (count: number): RecordPages<number> => {
  let pages: RecordPages<number> = []
  for (let n = 0; n < count; n++) pages = withMember(pages, [`k${n}`, n])
  return pages
}

it('has the members of a plain record, in their order, in every version', () => {
  const key = fc.oneof(
    fc.constantFrom('__proto__', 'constructor'),
    fc.integer({ min: 0, max: 600 }).map((n) => `k${n}`),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat()), { maxLength: 900 }), (added) => {
      const plain = new Map<string, number>()
      const versions: [RecordPages<number>, readonly [string, number][]][] = []
      let pages: RecordPages<number> = []
      for (const member of added) {
        pages = withMember(pages, member)
        plain.set(...member)
        versions.push([pages, [...plain]])
      }

      for (const [version, members] of versions.filter((_, at) => at % 50 === 0 || at === added.length - 1)) {
        expect(membersOf(version)).toEqual(members)
        for (const [name, value] of members) expect(memberOf(version, name)).toBe(value)
        expect(hasMember(version, 'none') || hasMember(version, 'toString')).toBe(false)
      }
    }),
    { numRuns: 30 },
  )
})

it('copies one page for a member, and keeps the others', () => {
  const before = filled(1_000)

  const after = withMember(before, ['new', 1])

  expect(after.filter((page, at) => page !== before[at])).toHaveLength(1)
  expect(Math.max(...after.map((page) => Object.keys(page).length))).toBe(64)
  expect(hasMember(before, 'new')).toBe(false)
})

it('goes on from an earlier version, and without members', () => {
  const all = filled(500)
  const other = withMember(filled(400), ['x', 1])
  const less = withoutMembers(all, (key) => key.endsWith('7'))

  expect(withoutMembers(all, () => false)).toBe(all)
  expect(keysOf(less)).toHaveLength(450)
  expect(hasMember(less, 'k17')).toBe(false)
  expect(memberOf(withMember(withMember(less, ['k17', -1]), ['k18', -2]), 'k17')).toBe(-1)
  expect([memberOf(withMember(all, ['x', 2]), 'x'), memberOf(withMember(all, ['x', 3]), 'x')]).toEqual([2, 3])
  expect(memberOf(other, 'x')).toBe(1)
})
