import type { ReactNode } from 'react'

/** A list of names and values, without the empty ones. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }): ReactNode => (
  <div data-part="fact-list">
    <dl>
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  </div>
)
