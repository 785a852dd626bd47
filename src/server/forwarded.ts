/**
 * The header of a request that a follower of a shared log forwards to the leader. A node that isn't the leader rejects it, so that no call
 * is forwarded in circles.
 */
export const FORWARDED = 'devnet-forwarded';
/** HTTP status of this rejection, 421 Misdirected Request (RFC 9110, 15.5.20): the call was not executed. */
export const MISDIRECTED = 421;
