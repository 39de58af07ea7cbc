/** The name of a tool in words: `searchConnections` is "Search connections". */
export function toolWords(tool: string): string {
  const words = tool
    .replace(/[_-]+/g, ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
