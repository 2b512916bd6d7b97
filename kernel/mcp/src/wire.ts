export {
  errorMessage,
  type Id,
  INTERNAL,
  INVALID_REQUEST,
  isObject,
  type Message,
  PARSE_ERROR,
  type Params,
  readableId,
  readMessage,
  SERVER_ERROR,
} from './jsonrpc.ts'
export { methods } from './stateless/methods.ts'
export { argumentAt, type ParamHeader, paramHeaders } from './stateless/param-headers.ts'
export { CLIENT_CAPABILITIES, PROTOCOL_VERSION } from './stateless/protocol.ts'
export { HEADER_MISMATCH } from './stateless/refusal.ts'
