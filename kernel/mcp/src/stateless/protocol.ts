/** Versions of the stateless protocol; earlier ones are agreed on by a handshake. */
export const VERSIONS: string[] = ['2026-07-28']

const OWN = 'io.modelcontextprotocol/'
export const PROTOCOL_VERSION = `${OWN}protocolVersion`
export const CLIENT_CAPABILITIES = `${OWN}clientCapabilities`
export const CLIENT_INFO = `${OWN}clientInfo`
export const LOG_LEVEL = `${OWN}logLevel`
export const SERVER_INFO = `${OWN}serverInfo`
export const SUBSCRIPTION_ID = `${OWN}subscriptionId`
