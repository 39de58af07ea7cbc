import './notFetched.css'

/** In the place of a part of the page that could not be fetched: there is no network, or a newer version took its place. */
export const NotFetched = () => (
  <div role="alert" className="not-fetched">
    <p>This part of the page could not be fetched. Runs are kept, and so is what you wrote.</p>
    <button type="button" className="button" onClick={() => location.reload()}>
      Load the page again
    </button>
  </div>
)
