import type { Problem } from '@interleave/config'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { counted } from '../parts/wording.ts'

export interface ProblemListProps {
  readonly id: string
  readonly problems: readonly Problem[]
  readonly onGo: (problem: Problem) => void
}

/** What is wrong with a file. Each mistake leads to its line. */
export function ProblemList({ id, problems, onGo }: ProblemListProps) {
  const isGood = problems.length === 0
  return (
    <div className="problems" data-good={isGood}>
      <p id={id} role="status">
        {isGood ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        {isGood ? 'No mistakes' : counted(problems.length, 'mistake')}
      </p>
      {!isGood && (
        <ul aria-label="Mistakes">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.path} ${problem.message}`}>
              <button type="button" onClick={() => onGo(problem)}>
                {problem.line !== undefined && <strong>Line {problem.line}</strong>} <code>{problem.path}</code>
              </button>
              <p>{problem.message}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
