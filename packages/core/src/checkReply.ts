import type { ChoicesQuestion, Option, Question, TextQuestion } from './question.ts'
import type { Checked } from './schema.ts'

/**
 * Validates a reply against a question, as far as plain data allows. A form's schema is checked where the form was
 * created.
 */
export function checkReply(question: Question, reply: unknown): Checked {
  const complaint = complaintAbout(question, reply)
  return complaint ? { ok: false, message: complaint } : { ok: true, value: reply }
}

function complaintAbout(question: Question, reply: unknown): string | undefined {
  switch (question.kind) {
    case 'choice':
      return isOption(question, reply) ? undefined : `Choose one of ${listOf(question)}.`
    case 'choices':
      return complaintAboutChoices(question, reply)
    case 'confirm':
      return typeof reply === 'boolean' ? undefined : 'Answer true or false.'
    case 'text':
      return complaintAboutText(question, reply)
    case 'form':
      return reply === undefined ? 'Fill in the form.' : undefined
    case 'approval':
      return isRecord(reply) && typeof reply.approved === 'boolean' ? undefined : 'Answer { approved: true | false }.'
    case 'extension':
      return complaintAboutExtension(reply)
  }
}

function complaintAboutChoices(question: ChoicesQuestion, reply: unknown): string | undefined {
  if (!Array.isArray(reply) || !reply.every((value) => isOption(question, value)))
    return `Choose from ${listOf(question)}.`
  if (new Set(reply).size !== reply.length) return 'Choose each option at most once.'
  if (reply.length < question.min) return `Choose at least ${question.min}.`
  return reply.length > question.max ? `Choose at most ${question.max}.` : undefined
}

function complaintAboutText({ minLength, maxLength }: TextQuestion, reply: unknown): string | undefined {
  if (typeof reply !== 'string') return 'Answer with text.'
  if (reply.length < minLength) return `Write at least ${minLength} characters.`
  return reply.length > maxLength ? `Write at most ${maxLength} characters.` : undefined
}

function complaintAboutExtension(reply: unknown): string | undefined {
  if (isRecord(reply) && reply.finish === true) return undefined
  const fits = isRecord(reply) && typeof reply.extend === 'number' && reply.extend > 0 && Number.isFinite(reply.extend)
  return fits ? undefined : 'Answer { extend: a number above 0 } or { finish: true }.'
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isOption = ({ options }: { options: readonly Option[] }, value: unknown): boolean =>
  options.some((option) => option.value === value)
const listOf = ({ options }: { options: readonly Option[] }): string =>
  options.map(({ value }) => JSON.stringify(value)).join(', ')
