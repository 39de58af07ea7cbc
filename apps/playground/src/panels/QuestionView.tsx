import type { Ask } from '@interleave/core'
import { UntrustedText } from '@interleave/react'
import { plainText } from '@interleave/react/untrusted'
import { GitFork, MessageCircleQuestion } from 'lucide-react'
import type { QuestionMessage } from '../run/messages.ts'
import { usePage } from '../run/usePlayground.ts'
import { ForkButton } from './ForkButton.tsx'
import { replyWords } from './replyWords.ts'

/** Shows a question that the run asked, and the user's reply. */
export function QuestionView({ question: { ask, promptBefore, reply, seq, isOpen } }: { question: QuestionMessage }) {
  return (
    <div className="question" data-open={isOpen}>
      <p>
        <MessageCircleQuestion aria-hidden />{' '}
        {promptBefore !== undefined && (
          <del>
            <UntrustedText limit={1_000}>{promptBefore}</UntrustedText>
          </del>
        )}{' '}
        <UntrustedText limit={1_000}>{ask.prompt}</UntrustedText>
      </p>
      {isOpen && <Open ask={ask} />}
      {reply !== undefined && (
        <div className="question-answer">
          <p className="question-reply">
            <span className="visually-hidden">You answered: </span>
            <UntrustedText>{replyWords(ask, reply)}</UntrustedText>
          </p>
          {seq !== undefined && (
            <ForkButton
              seq={seq}
              name={`Answer “${plainText(ask.prompt.slice(0, 200))}” differently`}
              title="Answer it differently, in a new run"
            >
              <GitFork aria-hidden />
            </ForkButton>
          )}
        </div>
      )}
    </div>
  )
}

function Open({ ask }: { ask: Ask }) {
  const isPast = usePage(({ travelledTo }) => travelledTo !== undefined)
  if (isPast) {
    const options = 'options' in ask ? ask.options.map(({ label }) => label) : []
    return (
      <>
        {options.length > 0 && (
          <ul className="question-options">
            {options.map((label) => (
              <li key={label}>
                <UntrustedText limit={200}>{label}</UntrustedText>
              </li>
            ))}
          </ul>
        )}
        <p className="question-open">Waited for your answer</p>
      </>
    )
  }
  return (
    <p className="question-open">
      Waits for your answer
      <button type="button" className="button" onClick={showQuestions}>
        Answer
      </button>
    </p>
  )
}

/** Opens the questions, which the user may have postponed. */
const showQuestions = (): void => document.querySelector<HTMLElement>('[data-interleave="waiting"] button')?.click()
