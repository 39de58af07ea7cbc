import type { FieldSchema } from './FieldSchema.ts'

/** What every input of a form is given. */
export interface InputProps {
  readonly schema: FieldSchema
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}
