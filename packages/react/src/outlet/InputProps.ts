import type { FieldSchema } from './fieldKind.ts'

/** What every input of a form is given. */
export interface InputProps {
  readonly schema: FieldSchema
  readonly id: string
  readonly name: string
  readonly required: boolean
  readonly 'aria-describedby': string | undefined
}
