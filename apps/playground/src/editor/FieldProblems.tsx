import type { Problem } from '@interleave/config'

/** The problems of a field of the first agent, next to the field. */
export function FieldProblems({ problems, field }: { problems: readonly Problem[]; field: string }) {
  const own = problems.filter(({ path }) =>
    new RegExp(`^agents(\\.[\\w$-]+|\\["[^"]*"\\])\\.${field}(\\W|$)`).test(path),
  )
  if (own.length === 0) return null
  return (
    <ul className="field-problems">
      {own.map(({ path, message }) => (
        <li key={`${path} ${message}`}>{message}</li>
      ))}
    </ul>
  )
}
