/** What this era calls things on the wire. */

/** A name of its own for every version this era speaks; those before it are agreed on by a handshake. */
export const VERSIONS: string[] = ['2026-07-28']

const OWN = 'io.modelcontextprotocol/'
export const PROTOCOL_VERSION = `${OWN}protocolVersion`
export const CLIENT_CAPABILITIES = `${OWN}clientCapabilities`
export const LOG_LEVEL = `${OWN}logLevel`
export const SERVER_INFO = `${OWN}serverInfo`
export const SUBSCRIPTION_ID = `${OWN}subscriptionId`
