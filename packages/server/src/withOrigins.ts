import { answerProblem } from './answerProblem.ts'
import { checkOrigins, corsHeaders, preflight, vary } from './origins.ts'

type Answer = (request: Request) => Promise<Response>

/** Answers pages of these origins, and tells what goes wrong as a problem. */
export function withOrigins(allowedOrigins: readonly string[] | undefined, answer: Answer): Answer {
  checkOrigins(allowedOrigins)
  return async (request) => {
    let cors = vary
    try {
      cors = corsHeaders(request, allowedOrigins)
      return withHeaders(request.method === 'OPTIONS' ? preflight(request) : await answer(request), cors)
    } catch (error) {
      return answerProblem(error, cors)
    }
  }
}

function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const all = new Headers(response.headers)
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return new Response(response.body, { status: response.status, headers: all })
}
