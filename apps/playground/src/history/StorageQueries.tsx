import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

// The queries read the browser's own database: they need no network, and a retry does not help.
const always = { networkMode: 'always', retry: false } as const

/** Provides the components that read or change stored data with one query client. */
export function StorageQueries({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: always, mutations: always } }))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
