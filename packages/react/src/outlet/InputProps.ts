import type { FieldSchema } from './FieldSchema.ts'

/** The props of every input of a form. */
export interface InputProps {
  readonly schema: FieldSchema
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}
