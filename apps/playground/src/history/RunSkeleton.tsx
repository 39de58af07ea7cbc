/** The placeholder of the list while it is read. */
export const RunSkeleton = () => (
  <div className="run-skeleton" role="status">
    <span className="visually-hidden">Reading the list of runs</span>
    {[72, 54, 63].map((width) => (
      <div key={width} aria-hidden>
        <span style={{ width: `${width}%` }} />
        <span style={{ width: `${width - 24}%` }} />
      </div>
    ))}
  </div>
)
