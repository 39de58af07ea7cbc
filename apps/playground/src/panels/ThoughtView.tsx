import { Brain } from 'lucide-react'
import { duration } from '../parts/wording.ts'
import type { ThoughtMessage } from '../run/messages.ts'

/** What the model thought for itself: there for who asks. */
export const ThoughtView = ({ thought: { text, ms } }: { thought: ThoughtMessage }) => (
  <details className="thought-view">
    <summary>
      <Brain aria-hidden /> Thought for {duration(ms)}
    </summary>
    <p>{text}</p>
  </details>
)
