import { defaultLabels, type TextLabels } from './textLabels.ts'

/** Words a problem with the app's own labels. */
export const inOwnWords = (complaint: string, own: Partial<TextLabels> = {}): string =>
  Object.entries(own).reduce(
    (text, [name, label]) => text.replaceAll(`"${defaultLabels[name as keyof TextLabels]}:"`, `"${label}:"`),
    complaint,
  )
