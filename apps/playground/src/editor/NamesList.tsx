import { configSchema } from '@interleave/config'
import { toolRegistry } from '../agents/toolRegistry.ts'
import { sectionLink } from '../docs/sectionLink.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { type KnownName, knownNames } from './knownNames.ts'

/** The names that an agent's file may use. */
export const NamesList = () => (
  <details className="names">
    <summary>Names to use</summary>
    <p>
      A name stands for a call, and what is below it are its options.{' '}
      <a href={sectionLink('docs/declared-agents.md#how-it-is-written')}>How it is written</a>
    </p>
    <dl>
      {kinds.map(({ title, names }) => (
        <div key={title}>
          <dt>{title}</dt>
          {names.map((known) => (
            <dd key={known.name}>
              <Name known={known} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  </details>
)

// The page's names do not change while it is open, and are the same with any model.
const kinds = knownNames(configSchema(toolRegistry({ model: demoPlanner() })))

const Name = ({ known: { name, options } }: { known: KnownName }) => (
  <>
    <code>{name}</code> {options.length > 0 && <small>{options.join(', ')}</small>}
  </>
)
