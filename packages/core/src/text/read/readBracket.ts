/** `search[Paris]`: from the first bracket to the last, which must end it. Inputs hold brackets and other actions, too. */
export function readBracket(text: string): { readonly tool: string; readonly input: string } | undefined {
  const action = unmarked(text.trim())
  const open = action.indexOf('[')
  const tool = action.slice(0, Math.max(open, 0)).trim()
  if (tool === '' || /[\n\r]/.test(tool) || !action.endsWith(']')) return undefined
  return { tool, input: action.slice(open + 1, -1).trim() }
}

/** Without what makes all of it bold or code, and without a full stop. */
function unmarked(action: string): string {
  const inner = /^(\*\*|`)([^`*].*)\1$/s.exec(action)?.[2]
  return inner ?? (action.endsWith('].') ? action.slice(0, -1) : action)
}
