import type { AskProps } from '@interleave/react'
import { FormAsk } from '@interleave/react/internal'
import { Table2 } from 'lucide-react'

/** A form. Where it takes a CSV file, visitors without one can use that of the page. */
export function FormWithSample(props: AskProps<'form'>) {
  const { ask, reply, showProblem, isSending } = props
  const field = csvField(ask.schema)
  const send = async (name: string): Promise<void> => {
    try {
      const { default: file } = await import('../data/sales.csv?raw')
      await reply({ [name]: file })
    } catch {
      showProblem('The sample file could not be loaded. Load the page again, or choose a file of your own.')
    }
  }
  return (
    <>
      {field !== undefined && (
        <p className="sample-file">
          <button type="button" disabled={isSending} onClick={() => void send(field)}>
            <Table2 aria-hidden /> Use the sample file
          </button>
          <small>24 sales of a small shop, with city, product, price and revenue.</small>
        </p>
      )}
      <FormAsk {...props} />
    </>
  )
}

/** The only field of a form that takes a CSV file. */
function csvField({ properties }: AskProps<'form'>['ask']['schema']): string | undefined {
  const fields = Object.entries(properties ?? {})
  const [name, schema] = fields[0] ?? []
  return fields.length === 1 && Object(schema).contentMediaType === 'text/csv' ? name : undefined
}
