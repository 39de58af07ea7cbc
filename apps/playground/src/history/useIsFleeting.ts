import { useQuery } from '@tanstack/react-query'
import { usePlayground } from '../run/usePlayground.ts'

/** Returns true if this browser stores nothing for the page. */
export function useIsFleeting(): boolean {
  const { keep } = usePlayground()
  const { data = false } = useQuery({
    queryKey: ['fleeting'],
    queryFn: async () => (await keep()).isFleeting,
    networkMode: 'always',
  })
  return data
}
