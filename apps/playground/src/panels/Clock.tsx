const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const whole = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

/** The time of a message. */
export const Clock = ({ at }: { at: number }) => (
  <time className="clock" dateTime={new Date(at).toISOString()} title={whole.format(at)}>
    {time.format(at)}
  </time>
)
