/**
 * The header of a request that a follower of a shared log has passed on to the leader: a node that isn't the leader refuses it,
 * so that no call goes round between nodes.
 */
export const FORWARDED = 'devnet-forwarded';
/** HTTP status of such a refusal, 421 Misdirected Request (RFC 9110, 15.5.20): the call was not executed. */
export const MISDIRECTED = 421;
