import { defaultLabels, type TextLabels } from './textLabels.ts'

/** A complaint in the app's own words: readers quote those that they know. */
export const inOwnWords = (complaint: string, own: Partial<TextLabels> = {}): string =>
  Object.entries(own).reduce(
    (text, [name, label]) => text.replaceAll(`"${defaultLabels[name as keyof TextLabels]}:"`, `"${label}:"`),
    complaint,
  )
