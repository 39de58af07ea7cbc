import { MessageCircleQuestion } from 'lucide-react'
import type { QuestionMessage } from '../run/messages.ts'
import { replyWords } from './replyWords.ts'

/** A question that the run asked, and what the user said to it. */
export function QuestionView({ question: { ask, reply, isOpen } }: { question: QuestionMessage }) {
  return (
    <div className="question">
      <p>
        <MessageCircleQuestion aria-hidden /> {ask.prompt}
      </p>
      {isOpen && <p className="question-open">Waits for your answer</p>}
      {reply !== undefined && (
        <p className="question-reply">
          <span className="visually-hidden">You answered: </span>
          {replyWords(ask, reply)}
        </p>
      )}
    </div>
  )
}
