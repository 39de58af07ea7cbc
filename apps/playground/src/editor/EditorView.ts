/** How the file of an agent is shown. */
export type EditorView = (typeof editorViews)[number]
export const editorViews = ['form', 'yaml', 'json'] as const
