import type { Handler } from '@interleave/server'
import { answerProblem } from '@interleave/server/internal'

/** Tells what goes wrong as a problem. Answers are given as they are, since a WebSocket may come with them. */
export const withProblems =
  (answer: Handler): Handler =>
  async (request) => {
    try {
      return await answer(request)
    } catch (error) {
      return answerProblem(error)
    }
  }
