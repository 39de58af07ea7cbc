import { budget, type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  '`mcpClient` | 2026-07-28 and the protocol of 2025, over Streamable HTTP | 8': [
    budget('an MCP client'),
    test('packages/mcp/src/client/mcpClient.test.ts', 'lists and calls tools of 2026-07-28 without a handshake'),
  ],
  '`popupAuth` | OAuth in a window; it loads the official library when it is needed | 4': [budget('OAuth in a window')],
  '`/apps` | MCP Apps, with `McpApp` of `@interleave/react/mcp-app` | 12': [budget('@interleave/mcp/apps')],
  'The client passes all 32 required client scenarios of the official conformance suite for 2026-07-28.': [
    test(
      'packages/mcp/src/conformance/conformance.soak.test.ts',
      'passes the client scenarios that 2026-07-28 requires',
    ),
  ],
  'A server with `serveAgents` passes all 37 of a server, of which agents answer 3.': [
    test(
      'packages/mcp/src/conformance/conformance.soak.test.ts',
      'passes the server scenarios that 2026-07-28 requires, three of them answered by agents',
    ),
  ],
}
