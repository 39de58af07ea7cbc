import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'

// What is asked is the browser's own database: it answers without a network, and asking again does not help.
const always = { networkMode: 'always', retry: false } as const
const client = new QueryClient({ defaultOptions: { queries: always, mutations: always } })

/** Around whatever asks or changes what is kept. All share what is known of it. */
export const KeptQueries = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)
