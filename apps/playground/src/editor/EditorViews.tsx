import { type EditorView, editorViews } from './EditorView.ts'

export interface EditorViewsProps {
  readonly view: EditorView
  readonly onView: (view: EditorView) => void
}

const titles: Readonly<Record<EditorView, string>> = { form: 'Form', yaml: 'YAML', json: 'JSON' }

/** How the agent is shown. All are views of one file. */
export const EditorViews = ({ view, onView }: EditorViewsProps) => (
  <fieldset className="editor-views">
    <legend className="visually-hidden">Shown as</legend>
    {editorViews.map((each) => (
      <label key={each} data-chosen={each === view}>
        <input type="radio" name="view" checked={each === view} onChange={() => onView(each)} />
        {titles[each]}
      </label>
    ))}
  </fieldset>
)
