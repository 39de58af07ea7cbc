import type { Symptom } from './symptom.ts'

/** The possible faults of the connection to a model. */
export type Problem =
  | 'unreachable'
  | 'network'
  | 'origin'
  | 'address'
  | 'refused'
  | 'key'
  | 'model'
  | 'quota'
  | 'tools'
  | 'size'
  | 'timeout'
  | 'format'
  | 'server'
  | 'unknown'

/**
 * Classifies by the words first, since servers disagree on what a status means. `forbidden` is what a bare 403 means
 * here.
 */
export function problemOf({ status, text }: Symptom, forbidden: Problem): Problem {
  const known = signs.find(([, pattern]) => pattern.test(text))?.[0]
  return known ?? (status === 403 ? forbidden : byStatus(status)) ?? 'unknown'
}

const signs: readonly (readonly [Problem, RegExp])[] = [
  ['refused', /proxy_refused|\bthe proxy (?:only|does not reach|forwards)\b|is that of the proxy itself|x-llm-target/i],
  ['unreachable', /proxy_unreachable|the proxy cannot reach|ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ECONNRESET/i],
  ['address', /proxy_redirected|redirects to/i],
  ['origin', /CORS requests are not allowed|origin (?:is )?not allowed|blocked by CORS/i],
  [
    'tools',
    /(?:does|do) not support (?:tools|tool calling|function|tool use)|tools? (?:param|use|calling|choice)?.{0,30}(?:requires? --jinja|not supported|unsupported)|auto.{0,20}tool choice requires/i,
  ],
  [
    'key',
    /(?:invalid|incorrect|missing|expired|no)\b.{0,20}\bapi[ _-]?key|x-api-key|api[ _-]?key.{0,30}(?:not valid|invalid|missing|required|expired)|authentication_error|no cookie auth|unauthori[sz]ed|token\b.{0,30}\binvalid/i,
  ],
  ['quota', /insufficient_quota|quota|rate[ _-]?limit|too many requests|credit balance|RESOURCE_EXHAUSTED/i],
  [
    'size',
    /context_full|context (?:length|window|size)|too[ _]many[ _](?:prompt[ _])?tokens|tokens exceed|exceeds? (?:the )?(?:maximum|context)|(?:prompt|messages) (?:is|are) too long/i,
  ],
  [
    'model',
    /model_not_found|models?\b.{0,120}\b(?:not found|does not exist|is not found|unknown|not loaded)|no models? loaded|try pulling/i,
  ],
  ['timeout', /model_timeout|model_idle|TimeoutError|timed? ?out|took longer than|sent nothing for/i],
  ['format', /<!doctype|<html|invalid json|unexpected token|model_incomplete|stopped in the middle/i],
  ['network', /failed to fetch|fetch failed|networkerror|load failed|network error|cannot connect to api/i],
]

function byStatus(status: number | undefined): Problem | undefined {
  if (status === undefined) return undefined
  const known: Readonly<Record<number, Problem>> = {
    401: 'key',
    402: 'quota',
    404: 'address',
    405: 'address',
    408: 'timeout',
    429: 'quota',
    504: 'timeout',
  }
  return known[status] ?? (status >= 500 ? 'server' : undefined)
}
