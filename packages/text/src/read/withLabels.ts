import type { TextLabels } from '../textLabels.ts'
import type { Marks } from './scanner.ts'
import type { Label } from './token.ts'

const labelOf: Readonly<Record<keyof TextLabels, Label>> = {
  thought: 'thought',
  action: 'action',
  actionInput: 'input',
  observation: 'observation',
  answer: 'answer',
}

/** The marks with the words of an app besides their own, for the labels that the dialect has. */
export function withLabels(marks: Marks, own: Partial<TextLabels>): Marks {
  const words = Object.entries(own).map(([name, word]) => ({ label: labelOf[name as keyof TextLabels], word }))
  const used = words.filter(({ label }) => marks.labels.some((known) => known.label === label))
  return used.length === 0 ? marks : { ...marks, labels: [...used, ...marks.labels] }
}
