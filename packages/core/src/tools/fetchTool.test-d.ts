import { expectTypeOf, it } from 'vitest'
import { fetchTool } from './fetchTool.ts'

it("takes the fetch of any platform or library, whose types are not the DOM's", () => {
  class OtherResponse {
    readonly status = 200
    readonly type = 'basic'
    readonly headers = { get: (name: string): string | null => name }
    readonly body = null
  }
  const other = async (_url: string, _init?: { redirect?: 'follow' | 'manual'; signal?: AbortSignal | null }) =>
    new OtherResponse()

  expectTypeOf(fetchTool).toBeCallableWith({ allow: ['https://docs.example.com'], fetch: other })
  expectTypeOf(fetchTool).toBeCallableWith({ allow: ['https://docs.example.com'], fetch: globalThis.fetch })
})
