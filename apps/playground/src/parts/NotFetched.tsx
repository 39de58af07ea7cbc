import { notFetched } from './notFetched.ts'
import './notFetched.css'

/** In the place of a part of the page that could not be fetched: there is no network, or a newer version took its place. */
export const NotFetched = () => (
  <div role="alert" className="not-fetched">
    <p>{notFetched.words}</p>
    <button type="button" className="button" onClick={notFetched.action.run}>
      {notFetched.action.label}
    </button>
  </div>
)
