/** The words before the parts of a step, without their colons. In another language, models that know it better may do better. */
export interface TextLabels {
  readonly thought: string
  readonly action: string
  readonly actionInput: string
  readonly observation: string
  /** Before the final answer; in bracket formats the name of the action that gives it. */
  readonly answer: string
}

export const defaultLabels: TextLabels = {
  thought: 'Thought',
  action: 'Action',
  actionInput: 'Action Input',
  observation: 'Observation',
  answer: 'Final Answer',
}
