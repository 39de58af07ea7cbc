/** The view of an agent's file. */
export type EditorView = (typeof editorViews)[number]
export const editorViews = ['form', 'yaml', 'json'] as const
