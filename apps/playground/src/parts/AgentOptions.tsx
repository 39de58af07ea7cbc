import { agents } from '../agents/index.ts'

/** The agents of the playground, to choose one in a `select`. */
export const AgentOptions = () =>
  agents.map(({ id, title }) => (
    <option key={id} value={id}>
      {title}
    </option>
  ))
