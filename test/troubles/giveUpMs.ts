/** The milliseconds for which tools wait for the shop: less than the troubles of its network last. */
export const giveUpMs = 2_500
