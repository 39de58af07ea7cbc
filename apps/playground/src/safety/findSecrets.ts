import { type FoundSecret, redact } from '@interleave/core/observe'

/** The secrets in the file of a run. */
export const findSecrets = (text: string): readonly FoundSecret[] => redact(JSON.parse(text)).found

/** The share of a run that goes into a file: everything, all but the secrets, or not even the prompts. */
export type Share = 'withoutSecrets' | 'withoutPrompts' | 'everything'

/** Returns the file with the chosen share. */
export function fileFor(text: string, share: Share): string {
  if (share === 'everything') return text
  const { value } = redact(JSON.parse(text), share === 'withoutPrompts' ? { prompts: false } : {})
  return JSON.stringify(value, null, 2)
}
