/** The milliseconds for which tools wait for the shop: less than the troubles of its network last. */
export const patienceMs = 2_500
