/** The words before the parts of a step, without their colons. A model may do better with those of its best language. */
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
