import { memoryStore, PopupProvider } from '../popup/popupProvider.ts'

interface Context {
  readonly client_id?: string
  readonly client_secret?: string
}

/** Creates the provider of `popupAuth`, and a function that consents without a user and reads the code. */
export async function headlessProvider({ client_id, client_secret }: Context, scenario: string) {
  let page = ''
  const provider = new PopupProvider({
    key: 'conformance',
    store: memoryStore(),
    redirectUrl: 'http://localhost:3000/callback',
    clientName: 'interleave',
    clientMetadataUrl:
      scenario === 'auth/pre-registration' ? undefined : 'https://conformance-test.local/client-metadata.json',
    newId: () => crypto.randomUUID(),
    onPage: (address) => {
      page = address
    },
  })
  if (client_id) await provider.saveClientInformation({ client_id, ...(client_secret && { client_secret }) })
  const code = async () => {
    const response = await fetch(page, { redirect: 'manual' })
    const found = new URL(response.headers.get('location') ?? '').searchParams
    return { code: found.get('code') ?? '', iss: found.get('iss') ?? undefined }
  }
  return { provider, code }
}
